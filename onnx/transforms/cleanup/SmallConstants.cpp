//===- SmallConstants.cpp - Small constants that are broadcast ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/SmallConstants.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// What Expand gives a value from.
struct Source {
  Elements small;
  Shape shape;       ///< of the value
  int64_t bytes = 0; ///< of both constants
};

} // namespace

/// The elements of `value` with one of those along each axis where all are the
/// same, which is seen in the strides: nothing is computed.
static Elements withoutBroadcast(const Elements &value) {
  ShapeRef shape = value.shape();
  Shape zeros(shape.size(), 0), ones(shape.size(), 1), sizes(shape);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Shape alone = ones;
    alone[axis] = shape[axis];
    if (value.slice(zeros, alone, ones).isSplat())
      sizes[axis] = 1;
  }
  return value.slice(zeros, sizes, ones);
}

/// All versions of Expand take these types.
static bool mayExpand(DataType type) {
  return type == DataType::Bool || isInteger(type) ||
         type == DataType::Float16 || type == DataType::Float32 ||
         type == DataType::Float64;
}

/// A source that is much smaller than the value, and than what `op` computes it
/// from, or nothing.
static std::optional<Source> sourceOf(Operation *op, const FoldPlan &plan,
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
  constexpr int64_t leastSaving = 16;
  Source source;
  source.shape = Shape(state.value.shape());
  source.small = withoutBroadcast(state.value.narrowed());
  source.bytes = packedBytes(source.small.type(), source.small.size()) +
                 int64_t(sizeof(int64_t)) * source.small.rank();
  if (plan.bytesOf(op->getResult(0)) < leastSaving * source.bytes)
    return std::nullopt;
  int64_t read = 0;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || !evaluation.isConstant(def))
      return source;
    read += plan.bytesOf(operand);
  }
  return read > source.bytes ? std::optional(source) : std::nullopt;
}

/// What the budget leaves out, in program order.
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
  int64_t most = *session.growth.leftForPlan() - plan.growth(), bytes = 0;
  std::vector<Operation *> leftOut = leftOutOf(plan, evaluation);
  // From the last on: what only they read has no reader then.
  llvm::DenseSet<Operation *> idle(leftOut.begin(), leftOut.end());
  for (Operation *op : llvm::reverse(leftOut)) {
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *reader) {
      return plan.action(reader) == FoldPlan::Action::Kept &&
             !idle.contains(reader);
    });
    if (!isRead)
      continue;
    nodes.begin(op);
    std::optional<Source> source = sourceOf(op, plan, evaluation);
    if (!source || bytes + source->bytes > most || !nodes.sinceOf("Expand") ||
        !mayStateIntegers(op)) {
      idle.erase(op);
      continue;
    }
    Value small = nodes.constant(source->small);
    Value shape = nodes.integers(source->shape);
    Value expanded = nodes.create("Expand", {small, shape});
    if (session.takeOver(op, expanded, smallConstant))
      bytes += source->bytes;
  }
  session.growth.expanded = bytes;
  return bytes != 0;
}
