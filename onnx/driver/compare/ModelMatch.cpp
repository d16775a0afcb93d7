//===- ModelMatch.cpp - Which nodes of two models are the same ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/ModelMatch.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The nodes of a model
//===----------------------------------------------------------------------===//

ModelNodes::ModelNodes(ModuleOp module) : module(module) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Operator node = Operator::from(op);
    bool isNode = node && node.node();
    if (isNode)
      nodes.push_back(op);
    for (auto [i, region] : llvm::enumerate(op->getRegions())) {
      if (isNode)
        graphs[&region] = (graphs.lookup(op->getParentRegion()) + "/" +
                           nodeLabel(node) + "/" + node.graphName(i))
                              .str();
      else if (auto name = op->getAttrOfType<StringAttr>(
                   SymbolTable::getSymbolAttrName()))
        graphs[&region] = name.getValue().str();
    }
  });
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

static bool isSameOperator(Operation *a, Operation *b) {
  Operator left = Operator::from(a), right = Operator::from(b);
  return left.opType() == right.opType() && left.domain() == right.domain();
}

void ModelMatch::addRegions(Operation *a, Operation *b) {
  for (auto [left, right] : llvm::zip(a->getRegions(), b->getRegions())) {
    regions[&left] = &right;
    regions[&right] = &left;
  }
}

void ModelMatch::add(Operation *a, Operation *b) {
  pairs[a] = b;
  pairs[b] = a;
  news.emplace_back(a, b);
  addRegions(a, b);
}

void ModelMatch::tryAdd(Operation *a, Operation *b) {
  Operator left = Operator::from(a), right = Operator::from(b);
  if (left && right && left.node() && right.node() && !pairs.contains(a) &&
      !pairs.contains(b) && isSameOperator(a, b))
    add(a, b);
}

/// Nodes of one operator that have the same name, or give the same name, in
/// graphs of the same name.
void ModelMatch::matchNames(bool byOutput) {
  auto keyOf = [&](const ModelNodes &model, Operation *op) -> std::string {
    Operator node = Operator::from(op);
    StringRef name = node.nodeName();
    if (byOutput)
      name = node.numOutputs() ? node.outputName(0) : StringRef();
    if (name.empty())
      return {};
    return (model.graphs.lookup(op->getParentRegion()) + "\n" + name + "\n" +
            node.domain() + "\n" + node.opType())
        .str();
  };
  llvm::StringMap<Operation *> named; // null: several
  for (Operation *op : after.nodes)
    if (!pairs.contains(op))
      if (std::string key = keyOf(after, op); !key.empty()) {
        auto [it, isNew] = named.try_emplace(key, op);
        if (!isNew)
          it->second = nullptr;
      }
  for (Operation *op : before.nodes)
    if (!pairs.contains(op))
      if (Operation *other = named.lookup(keyOf(before, op)))
        tryAdd(op, other);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

namespace {
/// Numbers of what values are computed from: equal for equal structure.
class StructureHash {
public:
  /// `withValues`: of constants the elements too, else their type only.
  StructureHash(const ModelNodes &model, bool withValues)
      : withValues(withValues) {
    for (Operation *op : model.nodes)
      hashes[op] = ofNode(op); // operands come first
  }
  llvm::hash_code of(Operation *op) const { return hashes.lookup(op); }

private:
  llvm::hash_code ofNode(Operation *op) {
    Operator node = Operator::from(op);
    llvm::hash_code hash =
        llvm::hash_combine(node.domain(), node.opType(), node.overload());
    for (NamedAttribute attribute : op->getDiscardableAttrs()) {
      hash = llvm::hash_combine(hash, attribute.getName().getValue());
      if (!isa<ElementsAttr>(attribute.getValue())) // not unique
        hash = llvm::hash_combine(hash, attribute.getValue());
    }
    for (Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, ofValue(operand));
    for (Region &region : op->getRegions())
      for (Operation &inner : region.front())
        if (Operator::from(&inner)) // their operands are around them
          hash = llvm::hash_combine(hash, inner.getName().getStringRef());
    return hash;
  }

  llvm::hash_code ofValue(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<OnnxConstantOp>(op))
      return ofConstant(constant);
    if (op)
      return llvm::hash_combine(hashes.lookup(op),
                                cast<OpResult>(value).getResultNumber());
    auto argument = cast<BlockArgument>(value);
    if (isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return llvm::hash_combine(1, valueName(value));
    return llvm::hash_combine(2, argument.getArgNumber());
  }

  llvm::hash_code ofConstant(OnnxConstantOp constant) {
    auto [it, isNew] = hashes.try_emplace(constant);
    if (!isNew)
      return it->second;
    llvm::hash_code hash = llvm::hash_combine(3, constant.getType());
    if (withValues)
      if (Elements value = elementsOf(constant.getValue())) {
        ops::ContentHash content = ops::contentHash(value);
        hash = llvm::hash_combine(content.low, content.high);
      }
    return hashes[constant] = hash;
  }

  bool withValues;
  llvm::DenseMap<Operation *, llvm::hash_code> hashes;
};
} // namespace

void ModelMatch::matchStructure(bool withValues) {
  auto isOpen = [&](Operation *op) { return !pairs.contains(op); };
  if (llvm::none_of(before.nodes, isOpen) || llvm::none_of(after.nodes, isOpen))
    return;
  StructureHash left(before, withValues), right(after, withValues);
  // Nodes of one number are paired in their order.
  std::map<size_t, std::vector<Operation *>> found;
  for (Operation *op : llvm::reverse(after.nodes))
    if (isOpen(op))
      found[size_t(right.of(op))].push_back(op);
  for (Operation *op : before.nodes)
    if (isOpen(op))
      if (auto it = found.find(size_t(left.of(op)));
          it != found.end() && !it->second.empty()) {
        tryAdd(op, it->second.back());
        it->second.pop_back();
      }
}

/// The only user of a value of this operator that has no partner yet.
static Operation *onlyUser(Value value, Operation *like,
                           llvm::function_ref<bool(Operation *)> isOpen) {
  Operation *found = nullptr;
  for (Operation *user : value.getUsers()) {
    Operator node = Operator::from(user);
    if (!node || !node.node() || !isOpen(user) || user == found ||
        (like && !isSameOperator(user, like)))
      continue;
    if (found)
      return nullptr;
    found = user;
  }
  return found;
}

/// Pairs the only nodes that read the results of a pair.
void ModelMatch::followResults(Operation *a, Operation *b) {
  auto isOpen = [&](Operation *op) { return !pairs.contains(op); };
  for (auto [left, right] : llvm::zip(a->getResults(), b->getResults())) {
    llvm::SmallVector<Operation *> users;
    for (Operation *user : left.getUsers())
      if (Operator node = Operator::from(user);
          node && node.node() && isOpen(user))
        users.push_back(user);
    constexpr size_t most = 64; // who is read by more has no only reader
    if (users.size() > most)
      continue;
    for (Operation *user : users)
      if (isOpen(user) && onlyUser(left, user, isOpen) == user)
        if (Operation *other = onlyUser(right, user, isOpen))
          tryAdd(user, other);
  }
}

/// Goes from pairs to their operands, their readers, and their bodies.
void ModelMatch::propagate() {
  while (!news.empty()) {
    auto [a, b] = news.back();
    news.pop_back();
    auto followOperands = [&](Operation *left, Operation *right) {
      if (left->getNumOperands() != right->getNumOperands())
        return;
      for (auto [x, y] : llvm::zip(left->getOperands(), right->getOperands()))
        if (Operation *from = x.getDefiningOp())
          if (Operation *other = y.getDefiningOp())
            tryAdd(from, other);
    };
    followOperands(a, b);
    followResults(a, b);
    for (auto [left, right] : llvm::zip(a->getRegions(), b->getRegions()))
      if (!left.empty() && !right.empty())
        followOperands(left.front().getTerminator(),
                       right.front().getTerminator());
  }
}

/// Calls a function with the producers of outputs of the same name.
static void
forOutputs(FunctionOpInterface a, FunctionOpInterface b,
           llvm::function_ref<void(Operation *, Operation *)> visit) {
  llvm::StringMap<Operation *> makers;
  auto forEach = [](FunctionOpInterface graph, auto use) {
    Operation *last = graph.getFunctionBody().front().getTerminator();
    for (unsigned i = 0; i != graph.getNumResults(); ++i)
      if (auto name = graph.getResultAttrOfType<StringAttr>(i, nameAttrName))
        if (Operation *maker = last->getOperand(i).getDefiningOp())
          use(name.getValue(), maker);
  };
  forEach(b, [&](StringRef name, Operation *maker) { makers[name] = maker; });
  forEach(a, [&](StringRef name, Operation *maker) {
    if (Operation *other = makers.lookup(name))
      visit(maker, other);
  });
}

ModelMatch::ModelMatch(const ModelNodes &before, const ModelNodes &after)
    : before(before), after(after) {
  std::vector<std::pair<FunctionOpInterface, FunctionOpInterface>> functions;
  ModuleOp first = before.module, second = after.module;
  for (auto function : first.getOps<FunctionOpInterface>())
    if (auto other = second.lookupSymbol<FunctionOpInterface>(
            SymbolTable::getSymbolName(function))) {
      functions.emplace_back(function, other);
      addRegions(function, other);
    }
  matchNames(/*byOutput=*/false);
  matchNames(/*byOutput=*/true);
  matchStructure(/*withValues=*/true);
  matchStructure(/*withValues=*/false);
  for (auto [a, b] : functions)
    forOutputs(a, b, [&](Operation *x, Operation *y) { tryAdd(x, y); });
  propagate();
}

bool ModelMatch::areSame(Value a, Value b) const {
  if (isAbsent(a) || isAbsent(b))
    return isAbsent(a) && isAbsent(b);
  Operation *from = a.getDefiningOp(), *other = b.getDefiningOp();
  if (isa_and_nonnull<OnnxConstantOp>(from))
    return isa_and_nonnull<OnnxConstantOp>(other);
  if (from)
    return of(from) == other && other &&
           cast<OpResult>(a).getResultNumber() ==
               cast<OpResult>(b).getResultNumber();
  auto left = cast<BlockArgument>(a);
  auto right = dyn_cast<BlockArgument>(b);
  if (!right ||
      of(left.getOwner()->getParent()) != right.getOwner()->getParent())
    return false;
  // Inputs of the main graph have names, those of others places.
  auto graph = dyn_cast<FunctionOpInterface>(left.getOwner()->getParentOp());
  bool isMain = graph && !graph->hasAttr(domainAttrName);
  return isMain ? valueName(a) == valueName(b)
                : left.getArgNumber() == right.getArgNumber();
}
