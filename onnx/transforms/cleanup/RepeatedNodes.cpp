//===- RepeatedNodes.cpp - A node that repeats an earlier one -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/RepeatedNodes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::isCompactWeight(Operation *op, const Evaluation &evaluation) {
  Operator node = Operator::from(op);
  return node && node.is("DequantizeLinear") && node.hasInput(0) &&
         evaluation.state(node.input(0)).isConstant();
}

void RepeatedNodes::begin() {
  known = std::make_unique<Subexpressions>(
      session.evaluation(),
      [this](Operation *op) { return session.operandsBeforeEdits(op); });
}

/// EqualNodes compares nodes that have bodies or call functions. A node that
/// reads only constants folds as a rule, and these may be large.
bool RepeatedNodes::mayRepeat(Operation *op) const {
  const Evaluation &evaluation = session.evaluation();
  Operator node = Operator::from(op);
  return node && !node.isCustom() && !node.hasReferences() &&
         op->getNumRegions() == 0 && op->getNumResults() == 1 &&
         isMemoryEffectFree(op) && !isCompactWeight(op, evaluation) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return !isAbsent(operand) && !evaluation.state(operand).isConstant();
         });
}

/// Whether all that is stated of `op` is known of the other one, too.
static bool saysNoMore(Operation *op, Operation *other) {
  Type type = op->getResult(0).getType();
  return isa<OnnxUnknownType>(type) || type == other->getResult(0).getType();
}

bool RepeatedNodes::replace(Operation *op) {
  Evaluation &evaluation = session.evaluation();
  if (op->use_empty() || session.isReplaced(op) || !mayRepeat(op))
    return false;
  known->enter(op->getBlock());
  hashOfAsked = known->hashOf(op);
  Operation *first = known->find(op, hashOfAsked);
  asked = first ? nullptr : op;
  Value value = first ? session.replacementOf(first) : Value();
  const FoldingInterface *dialect = FoldingInterface::of(op);
  if (!value || !saysNoMore(op, first) || !evaluation.mayChange(op) ||
      !dialect || !dialect->isRemovable(op, evaluation.functions()))
    return false;
  bool isRead = !value.use_empty();
  evaluation.setEqual(op, first);
  if (!session.replace(op, value, commonSubexpression))
    return false;
  // A value that was there already may have replaced the first.
  if (!session.isReplaced(first))
    session.noteMerged(first, op);
  else if (session.hasSuccessor(first))
    session.noteMerged(value.getDefiningOp(), op);
  session.noteMoreKnown(!isRead); // no pattern looked at what nobody read
  return true;
}

bool RepeatedNodes::visit(const CleanUpContext &cx) {
  Operation *op = cx.op.getOperation();
  noted = op == std::exchange(asked, nullptr) ? op : nullptr;
  if (noted) {
    known->add(op, hashOfAsked);
    return false;
  }
  if (!mayRepeat(op)) // or a clean-up made it
    return false;
  known->enter(op->getBlock());
  known->findOrAdd(op);
  return false;
}

bool RepeatedNodes::finish() {
  known.reset(); // a plan, and what is written, need the memory
  return false;
}
