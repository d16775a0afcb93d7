//===- BranchInlining.cpp - Inlines an If with a known condition ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/controlflow/BranchInlining.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The branch that is taken, or null.
static Region *takenBranch(Operator op, const Evaluation &evaluation) {
  if (!op.is("If") || !op.hasInput(0))
    return nullptr;
  const ValueState &condition = evaluation.state(op.input(0));
  if (!condition.isConstant() || condition.type != DataType::Bool ||
      condition.value.size() != 1)
    return nullptr;
  bool isTrue = condition.value.values<bool>().front();
  Region *branch = op.getGraph(isTrue ? "then_branch" : "else_branch");
  bool fits = branch && branch->hasOneBlock() &&
              branch->front().getNumArguments() == 0 &&
              branch->front().back().getNumOperands() == op.numOutputs();
  return fits ? branch : nullptr;
}

namespace {

/// One If.
class Inliner {
public:
  Inliner(Operator op, Region &branch, Evaluation &evaluation,
          NodeBuilder &nodes, NameChanges &changes)
      : op(op), branch(branch), evaluation(evaluation), nodes(nodes),
        changes(changes) {}

  bool mayChange() const;
  llvm::SmallVector<Operation *> run();
  bool hasRenamed = false;

private:
  void makeNamesUnique();
  void rename(Value value, StringRef name);
  bool giveName(unsigned result, Value value);
  Operation *copy(unsigned result, Value value);

  Operator op;
  Region &branch;
  Evaluation &evaluation;
  NodeBuilder &nodes;
  NameChanges &changes;
  llvm::StringMap<unsigned> inside; ///< how often the branch defines a name
  llvm::SmallPtrSet<Operation *, 2> named;
};

} // namespace

bool Inliner::mayChange() const {
  WalkResult walk = branch.walk([&](Operation *inner) {
    return evaluation.mayChange(inner) ? WalkResult::advance()
                                       : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

/// Gives a value another name.
void Inliner::rename(Value value, StringRef name) {
  changes.rename(value);
  Operation *maker = value.getDefiningOp();
  if (auto constant = dyn_cast<OnnxConstantOp>(maker)) {
    constant.setOutput(name);
  } else {
    Operator node = Operator::from(maker);
    llvm::SmallVector<StringRef, 2> names;
    for (unsigned i = 0; i < node.numOutputs(); ++i)
      names.push_back(node.outputName(i));
    names[cast<OpResult>(value).getResultNumber()] = name;
    node.setOutputNames(names);
  }
}

/// No value that will stand in the outer graph has the name of another one of
/// the model, wherever that is: it would hide, or be hidden.
void Inliner::makeNamesUnique() {
  auto count = [](Region &region, llvm::StringMap<unsigned> &counts) {
    region.walk([&](Operation *inner) {
      for (Value result : inner->getResults())
        ++counts[valueName(result)];
      for (Region &body : inner->getRegions())
        for (Value argument : body.getArguments())
          ++counts[valueName(argument)];
    });
  };
  count(branch, inside);
  for (Region &region : op->getRegions()) {
    if (&region == &branch)
      continue;
    llvm::StringMap<unsigned> erasedNames;
    count(region, erasedNames);
    for (const auto &entry : erasedNames)
      nodes.noteErased(entry.getKey(), entry.getValue());
  }
  for (Operation &inner : branch.front())
    for (Value result : inner.getResults()) {
      StringRef name = valueName(result);
      if (!name.empty() && nodes.count(name) > 1) {
        rename(result, nodes.freshName(name));
        hasRenamed = true;
      }
    }
}

/// Lets `value` take the name of a result of the If; false if it cannot.
bool Inliner::giveName(unsigned result, Value value) {
  Operator maker = Operator::from(value.getDefiningOp());
  StringRef name = op.outputName(result);
  if (!maker || maker->getParentRegion() != &branch || name.empty() ||
      valueName(value).empty() || inside.lookup(name) != 0 ||
      !named.insert(maker.getOperation()).second)
    return false;
  rename(value, name);
  evaluation.refine(value, evaluation.state(op->getResult(result)));
  Value given = op->getResult(result);
  bool isOutput =
      llvm::is_contained(given.getUsers(), op->getBlock()->getTerminator());
  if (isOutput || isa<OnnxUnknownType>(value.getType()))
    setDeclaredType(value, given.getType(), evaluation);
  given.replaceAllUsesWith(value);
  return true;
}

/// An Identity that gives a result of the If.
Operation *Inliner::copy(unsigned result, Value value) {
  nodes.begin(op.getOperation());
  Value identity = nodes.finish(nodes.create("Identity", value), result);
  Operator::from(identity.getDefiningOp()).setNodeName(""); // there may be more
  op->getResult(result).replaceAllUsesWith(identity);
  return identity.getDefiningOp();
}

llvm::SmallVector<Operation *> Inliner::run() {
  makeNamesUnique();
  Operation *end = &branch.front().back();
  llvm::SmallVector<Value> values(end->getOperands());
  llvm::SmallVector<unsigned> copies;
  for (auto [i, value] : llvm::enumerate(values))
    if (!op->getResult(i).use_empty() && !giveName(i, value))
      copies.push_back(i);
  end->setOperands({}); // it is a reader no more
  llvm::SmallVector<Operation *> moved;
  for (Operation &inner : llvm::make_early_inc_range(branch.front())) {
    if (&inner == end)
      break;
    inner.moveBefore(op.getOperation());
    if (auto constant = dyn_cast<OnnxConstantOp>(&inner))
      constant.setNode(std::nullopt); // it will be written anew
    moved.push_back(&inner);
  }
  for (unsigned i : copies)
    moved.push_back(copy(i, values[i]));
  return moved;
}

std::optional<llvm::SmallVector<Operation *>>
BranchInlining::run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
                    NameChanges &changes, MovedNodes &places,
                    llvm::function_ref<bool()> mayInline) {
  Region *branch = takenBranch(op, evaluation);
  nodes.begin(op.getOperation());
  if (!branch || !nodes.knowsOpset())
    return std::nullopt;
  Inliner inliner(op, *branch, evaluation, nodes, changes);
  if (!inliner.mayChange() || !mayInline())
    return std::nullopt;
  llvm::SmallVector<BodyStep, 1> path(places.origin(op.getOperation()));
  path.push_back({op.node().value_or(-1), branch->getRegionNumber()});
  llvm::SmallVector<Operation *> moved = inliner.run();
  renamed |= inliner.hasRenamed;
  for (Operation *inner : moved) {
    Operator node = Operator::from(inner);
    if (!node || !node.node())
      continue;
    changes.rewired.insert(inner);
    places.note(inner, branch, path);
  }
  return moved;
}
