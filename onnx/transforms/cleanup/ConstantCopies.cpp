//===- ConstantCopies.cpp - Copies of constants ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/ConstantCopies.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The constant around an If that the branch which is taken gives as it is, and
/// others read too; or null.
Value ConstantCopies::constantOfBranch(Operator node) const {
  if (!takesBranches || !node.is("If") || node.numOutputs() != 1)
    return {};
  const Elements &condition = session.evaluation().state(node.input(0)).value;
  if (!condition || condition.type() != DataType::Bool || condition.size() != 1)
    return {};
  bool isTrue = condition.value<bool>(0);
  Region *taken = node.getGraph(isTrue ? "then_branch" : "else_branch");
  Value value = taken->front().getTerminator()->getOperand(0);
  for (Operation *op = value.getDefiningOp();
       op && taken->isAncestor(op->getParentRegion());
       op = value.getDefiningOp()) {
    Operator copy = Operator::from(op);
    if (!copy || !copy.is("Identity"))
      return {};
    value = op->getOperand(0);
  }
  return value.getDefiningOp<OnnxConstantOp>() && !value.hasOneUse() ? value
                                                                     : Value();
}

/// A constant of the file, or what folds.
bool ConstantCopies::isFixed(Value value) const {
  Operation *def = value.getDefiningOp();
  return def && session.evaluation().has(def) &&
         (session.evaluation().isConstant(def) ||
          session.evaluation().isFoldable(def));
}

/// `op` yields the constant `value` unchanged. True if it is erased for that.
/// If it is the only reader of an initializer, the initializer gets the name of
/// its result, and is not copied.
bool ConstantCopies::giveConstant(Operation *op, Value value,
                                  StringRef pattern) {
  auto constant = value.getDefiningOp<OnnxConstantOp>();
  // Constants do not count where a budget may keep what makes `value`: two
  // shapes that fold to the same are one in the next run, which would replace
  // `op` for that.
  bool readsShared = llvm::any_of(op->getOperands(), [&](Value operand) {
    return isFixed(operand) && !operand.hasOneUse() &&
           (constant || !operand.getDefiningOp<OnnxConstantOp>());
  });
  if (readsShared && session.replace(op, value, pattern))
    return true;
  bool hasOthers = llvm::any_of(op->getResults().drop_front(),
                                [](Value other) { return !other.use_empty(); });
  return value.hasOneUse() && constant && !constant.getNode() && !hasOthers &&
         session.giveNameTo(op, cast<OpResult>(value), pattern);
}

/// The pattern by which `op`, which folds, gives a constant as it is, of the
/// file or one that folds, and that; or null.
const CleanUpPattern *ConstantCopies::constantGiven(Operation *op,
                                                    Value &value) {
  Operator node = Operator::from(op);
  const Elements &result = session.evaluation().state(op->getResult(0)).value;
  auto isAlike = [&](Value operand) {
    const Elements &given = session.evaluation().state(operand).value;
    return result && given && isFixed(operand) &&
           given.type() == result.type() && given.shape() == result.shape();
  };
  if (node.numGraphs() != 0 || llvm::none_of(op->getOperands(), isAlike))
    return nullptr;
  session.nodes().begin(op);
  CleanUpContext context(node, session);
  for (const CleanUpPattern *pattern : index.find(node)) {
    if (!pattern->replaces() || pattern->makesNodes)
      continue;
    value = pattern->replacement(context);
    if (value && isFixed(value))
      return pattern;
  }
  return nullptr;
}

/// The operation folds, and may change.
bool ConstantCopies::isFolding(Operation *op) const {
  Operator node = Operator::from(op);
  return node && !node.isCustom() && !session.isReplaced(op) &&
         session.evaluation().isFoldable(op) &&
         session.evaluation().mayChange(op) && op->getNumResults() != 0;
}

/// For the plan. Not what is one for how the constant was computed
/// (Abs(Abs(x))): the next run would not see that, and fold it.
void ConstantCopies::noteCopy(Operation *op, Value value,
                              const CleanUpPattern &pattern) {
  CleanUpContext context(Operator::from(op), session);
  if (llvm::is_contained(op->getOperands(), value) &&
      pattern.replacement(context.afterFolding()) == value)
    session.noteCopy(op, value);
}

/// True if `op` is erased, because it yields a constant unchanged.
bool ConstantCopies::visitAny(Operation *op) {
  if (!isFolding(op))
    return false;
  if (Value given = constantOfBranch(Operator::from(op)))
    return session.replace(op, given, constantBranch);
  Value value;
  const CleanUpPattern *pattern = constantGiven(op, value);
  if (!pattern)
    return false;
  if (giveConstant(op, value, pattern->name))
    return true;
  noteCopy(op, value, *pattern);
  return false;
}
