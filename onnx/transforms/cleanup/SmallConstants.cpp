//===- SmallConstants.cpp - Small constants that are broadcast ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/SmallConstants.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/rewrite/Broadcasts.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"

using namespace onnxfold;
using namespace mlir;

/// A source that is much smaller than the value, and than what `op` computes it
/// from, or nothing.
static std::optional<SmallForm> sourceOf(Operation *op, const FoldPlan &plan,
                                         const Evaluation &evaluation) {
  Operator node = Operator::from(op);
  if (!node || node.isCustom() || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getResults().drop_front(),
                    [](Value other) { return other.use_empty(); }))
    return std::nullopt;
  const ValueState &state = evaluation.state(op->getResult(0));
  if (!state.isConstant() || state.value.size() == 0 ||
      !mayExpand(state.value.type()))
    return std::nullopt;
  SmallForm form = smallFormOf(state.value);
  if (!form.isMuchSmaller(plan.bytesOf(op->getResult(0))))
    return std::nullopt;
  int64_t read = 0;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || !evaluation.isConstant(def))
      return form;
    read += plan.bytesOf(operand);
  }
  return read > form.bytes ? std::optional(form) : std::nullopt;
}

/// The operations that the budget leaves out, in program order.
static std::vector<Operation *> leftOutOf(const FoldPlan &plan,
                                          const Evaluation &evaluation) {
  std::vector<Operation *> leftOut;
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (evaluation.has(op) && evaluation.isFoldable(op) &&
        plan.action(op) == FoldPlan::Action::Kept &&
        plan.reason(op).code == ReasonCode::Growth)
      leftOut.push_back(op);
  });
  return leftOut;
}

bool SmallConstants::finishPlan(const FoldPlan &plan) {
  const Evaluation &evaluation = session.evaluation();
  NodeBuilder &nodes = session.nodes();
  int64_t most = *session.growth.leftForExpand() - plan.growth(), bytes = 0;
  std::vector<Operation *> leftOut = leftOutOf(plan, evaluation);
  // The last comes first, so that what only it reads has no reader then.
  llvm::DenseSet<Operation *> idle(leftOut.begin(), leftOut.end());
  for (Operation *op : llvm::reverse(leftOut)) {
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *reader) {
      return plan.action(reader) == FoldPlan::Action::Kept &&
             !idle.contains(reader);
    });
    if (!isRead)
      continue;
    nodes.begin(op);
    std::optional<SmallForm> form = sourceOf(op, plan, evaluation);
    if (!form || bytes + form->bytes > most || !nodes.sinceOf("Expand") ||
        !mayStateIntegers(op)) {
      idle.erase(op);
      continue;
    }
    Value small = nodes.constant(form->value);
    Value shape =
        nodes.integers(Shape(evaluation.state(op->getResult(0)).value.shape()));
    Value expanded = nodes.create("Expand", {small, shape});
    if (session.takeOver(op, expanded, smallConstant))
      bytes += form->bytes;
  }
  session.growth.expanded = bytes;
  session.growth.reserved = 0;
  return bytes != 0;
}
