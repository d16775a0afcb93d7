//===- CopySources.cpp - The nodes that copies were made of ---------------===//

#include "onnxfold/onnx/transforms/rewrite/CopySources.h"
#include "onnxfold/onnx/transforms/rewrite/internal/BodyCopy.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

const NodeSource *CopySources::find(Operation *copy) const {
  auto it = sources.find(copy);
  return it == sources.end() ? nullptr : &it->second;
}

/// Of a node of the file, also if it was moved out of a body since, or of the
/// one that a copy was made of.
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
  AttributePlace value{{function, {}, -1}, parameter.str()};
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
