//===- CopySources.cpp - The nodes that copies were made of ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/CopySources.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

const NodeSource *CopySources::find(Operation *copy) const {
  auto it = sources.find(copy);
  return it == sources.end() ? nullptr : &it->second;
}

/// The place of a node of the file, also if it was moved out of a body, or of
/// the one that a copy was made of.
std::optional<NodePlace> CopySources::placeOf(Operation *op) const {
  if (const NodeSource *source = find(op))
    return source->place;
  Operator node = Operator::from(op);
  if (!node || !node.node())
    return std::nullopt;
  NodePlace place;
  Operation *around = op->getParentOp();
  if (isa_and_nonnull<FunctionOpInterface>(around)) {
    place.function = around;
  } else {
    std::optional<NodePlace> outer = placeOf(around);
    if (!outer || find(around)) // nodes of the file stand in such
      return std::nullopt;
    place = std::move(*outer);
    place.path.push_back(
        {place.node, op->getParentRegion()->getRegionNumber()});
  }
  llvm::append_range(place.path, moved.origin(op));
  place.node = *node.node();
  return place;
}

void CopySources::notePart(Operation *op, Operation *part) {
  if (!notesParts || op == part)
    return;
  llvm::SmallVector<NodePlace, 1> places;
  if (std::optional<NodePlace> place = placeOf(part))
    places.push_back(std::move(*place));
  llvm::append_range(places, partsOf(part));
  if (!places.empty())
    llvm::append_range(parts[op], places);
}

ArrayRef<NodePlace> CopySources::partsOf(Operation *op) const {
  auto found = parts.find(op);
  return found == parts.end() ? ArrayRef<NodePlace>() : found->second;
}

static std::string symbolOf(Operator call) {
  return functionSymbol(call.domain(), call.opType(), call.overload());
}

/// A custom operator that is no call; a Constant that states a parameter of its
/// function is custom, too.
static bool isUnknownNode(Operator node,
                          const llvm::StringMap<bool> &functions) {
  return node && node.isCustom() && !node.is("Constant") &&
         !functions.contains(symbolOf(node));
}

/// See CopySources::unknownFunctions.
static llvm::StringMap<bool> findUnknownFunctions(Operation *module) {
  llvm::StringMap<bool> found;
  llvm::SmallVector<std::pair<Operation *, StringRef>> functions;
  for (Operation &op : module->getRegion(0).front())
    if (auto name =
            op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
        name && name != mainGraphSymbol && mayBeCalled(&op))
      functions.emplace_back(&op, found.try_emplace(name).first->first());
  llvm::StringMap<llvm::SmallVector<StringRef, 2>> callers;
  llvm::SmallVector<StringRef> waiting;
  for (auto [function, name] : functions)
    function->walk([&, name = name](Operation *inner) {
      Operator node = Operator::from(inner);
      if (isUnknownNode(node, found))
        waiting.push_back(name);
      else if (node && node.isCustom() && !node.is("Constant"))
        callers[symbolOf(node)].push_back(name);
    });
  while (!waiting.empty()) {
    StringRef name = waiting.pop_back_val();
    if (!std::exchange(found[name], true))
      llvm::append_range(waiting, callers.lookup(name));
  }
  return found;
}

bool CopySources::holdsUnknown(Operation *copy) {
  if (!unknownFunctions) {
    Operation *module = copy;
    while (module->getParentOp())
      module = module->getParentOp();
    unknownFunctions = findUnknownFunctions(module);
  }
  WalkResult walk = copy->walk([&](Operation *inner) {
    Operator node = Operator::from(inner);
    bool isUnknown =
        isUnknownNode(node, *unknownFunctions) ||
        (node && node.isCustom() && unknownFunctions->lookup(symbolOf(node)));
    return isUnknown ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

void CopySources::note(Operation *original, Operation *copy) {
  if (const NodeSource *source = find(original)) {
    NodeSource same = *source; // the table may grow
    sources[copy] = std::move(same);
  } else if (std::optional<NodePlace> place = placeOf(original)) {
    sources[copy] = {std::move(*place), {}};
  }
  if (Operator::from(copy).isCustom() && holdsUnknown(copy))
    unknown.insert(copy);
}

void CopySources::noteParameter(Operation *copy, StringRef name, Operator call,
                                Operation *function, StringRef parameter) {
  auto entry = sources.find(copy);
  if (entry == sources.end())
    return;
  AttributePlace value;
  value.place.function = function;
  value.name = parameter.str();
  if (call.has(parameter)) {
    std::optional<NodePlace> place = placeOf(call.getOperation());
    if (!place)
      return;
    value.place = std::move(*place);
    // A copy of a call may have it from the call around that.
    if (const NodeSource *source = find(call.getOperation()))
      for (const auto &[own, given] : source->parameters)
        if (own == parameter)
          value = given;
  }
  auto &parameters = entry->second.parameters;
  llvm::erase_if(parameters,
                 [&](const auto &own) { return own.first == name; });
  parameters.emplace_back(name.str(), std::move(value));
}
