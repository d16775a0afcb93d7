//===- InliningTrial.cpp - What a call would become if inlined ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/InliningTrial.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// A pattern would replace the operation.
bool InliningTrial::matches(Operation *op) const {
  Operator node = Operator::from(op);
  const Evaluation &evaluation = session.evaluation();
  if (!node || !evaluation.has(op) || op->use_empty() ||
      op->getNumRegions() != 0 || !session.mayBeErased(op))
    return false;
  NodeBuilder &nodes = session.nodes();
  nodes.begin(op);
  bool mayMakeNodes =
      nodes.knowsOpset() &&
      llvm::all_of(op->getResults().drop_front(),
                   [](Value result) { return result.use_empty(); });
  CleanUpContext cx(node, session);
  return llvm::any_of(patterns.find(node), [&](const CleanUpPattern *pattern) {
    // A decomposition would count bytes.
    if (!pattern->replaces() || (pattern->makesNodes && !mayMakeNodes) ||
        pattern->name == "decompose")
      return false;
    Value value = pattern->replacement(cx);
    nodes.discard();
    return bool(value);
  });
}

/// Puts the copies in place of the call, which reads nothing; readers of its
/// results read `results`.
bool InliningTrial::matchesAny(Operator call, ArrayRef<Operation *> copies,
                               ValueRange results) const {
  SmallVector<Value> operands(call->getOperands());
  SmallVector<std::pair<OpOperand *, Value>> uses;
  NodeBuilder &nodes = session.nodes();
  nodes.begin(call.getOperation());
  Value nothing = nodes.absent();
  call->setOperands(SmallVector<Value>(operands.size(), nothing));
  for (auto [result, value] : llvm::zip(call->getResults(), results))
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      uses.push_back({&use, result});
      use.set(value);
    }
  bool found = llvm::any_of(copies, [&](Operation *op) { return matches(op); });
  for (auto &[use, result] : uses)
    found = found || matches(use->getOwner());
  for (auto &[use, result] : uses)
    use->set(result);
  call->setOperands(operands);
  session.evaluation().forget(nothing.getDefiningOp());
  nothing.getDefiningOp()->erase();
  return found;
}

bool InliningTrial::simplifies(Operator call, Operation *function) {
  Evaluation &evaluation = session.evaluation();
  NodeBuilder nodes(evaluation); // whose copies have no sources
  nodes.begin(call.getOperation());
  Block &body = function->getRegion(0).front();
  CallSite site{call, function};
  IRMapping values;
  SmallVector<Operation *> copies;
  SmallVector<Value, 1> missing;
  for (BlockArgument argument : body.getArguments()) {
    bool isGiven = argument.getArgNumber() < call.numInputs();
    if (!isGiven)
      missing.push_back(nodes.absent());
    values.map(argument, isGiven ? call->getOperand(argument.getArgNumber())
                                 : missing.back());
  }
  auto isErased = [&](Operation *op) { return session.isReplaced(op); };
  for (Operation &inner : body.without_terminator()) {
    if (isErased(&inner))
      continue;
    copies.push_back(nodes.copy(&inner, values, "", isErased, &site));
    infer(copies.back());
  }
  SmallVector<Value> results;
  for (Value given : body.back().getOperands())
    results.push_back(values.lookupOrDefault(given));
  bool found = matchesAny(call, copies, results);
  session.forgetReaders();
  for (Operation *op : llvm::reverse(copies)) {
    op->walk([&](Operation *inner) { evaluation.forget(inner); });
    op->erase();
  }
  for (Value value : missing) {
    evaluation.forget(value.getDefiningOp());
    value.getDefiningOp()->erase();
  }
  return found;
}
