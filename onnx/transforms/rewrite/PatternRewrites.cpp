//===- PatternRewrites.cpp - Tries the patterns of an operator ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/PatternRewrites.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

bool InputRewrites::visit(const CleanUpContext &cx) {
  Operation *op = cx.op.getOperation();
  const PatternIndex::List &patterns = index.find(cx.op);
  bool changed = true, isOther = false;
  while (std::exchange(changed, false))
    for (const CleanUpPattern *pattern : patterns) {
      InputEdits edits = pattern->edit ? pattern->edit(cx) : InputEdits();
      for (auto [i, value] : llvm::reverse(edits)) // it refers to them
        if (session.mayEdit(op, i, value)) {
          edit(op, i, value, pattern->name);
          changed = isOther = true;
        }
    }
  if (isOther && op->getNumRegions() == 0)
    session.evaluation().add(op); // of what it reads now more may be known
  return false;
}

void InputRewrites::edit(Operation *op, unsigned i, Value value,
                         StringRef pattern) {
  Operation *before = op->getOperand(i).getDefiningOp();
  unsigned last = op->getNumOperands() - 1;
  session.noteEdited(op);
  if (value) {
    op->setOperand(i, value);
  } else if (i != last) {
    session.nodes().begin(op);
    op->setOperand(i, session.nodes().absent());
  } else {
    do
      op->eraseOperand(last);
    while (isAbsent(op->getOperand(--last)));
  }
  const Evaluation &evaluation = session.evaluation();
  if (before && before->use_empty() && evaluation.isConstant(before) &&
      evaluation.mayChange(before))
    session.markReplaced(before, pattern);
}

static bool isFinite(const Elements &value) {
  if (!value || !isFloat(value.type()))
    return true;
  Elements wide = ops::cast(value, DataType::Float64);
  return !ops::firstWhere<double>(wide,
                                  [](double v) { return !std::isfinite(v); });
}

/// A new node folds to an infinity or a NaN although its operands are finite:
/// in the original only data that gets there would meet it.
static bool overflows(const NodeBuilder &nodes, const Evaluation &evaluation) {
  return llvm::any_of(nodes.unfinished(), [&](Operation *op) {
    return Operator::from(op) && evaluation.isFoldable(op) &&
           !isFinite(evaluation.state(op->getResult(0)).value) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return isFinite(evaluation.state(operand).value);
           });
  });
}

static bool isLimit(ReasonCode code) {
  return code == ReasonCode::ResultLimit || code == ReasonCode::MemoryLimit ||
         code == ReasonCode::WorkLimit || code == ReasonCode::TimeLimit ||
         code == ReasonCode::Filtered;
}

/// Why a new node of constants is not computed: it would be run each time.
static std::optional<std::string> whyLeft(const NodeBuilder &nodes,
                                          const Evaluation &evaluation) {
  for (Operation *op : nodes.unfinished()) {
    Operator node = Operator::from(op);
    if (!node || op->getNumOperands() == 0 || evaluation.isFoldable(op) ||
        !isLimit(evaluation.reason(op).code))
      continue;
    if (llvm::all_of(op->getOperands(), [&](Value operand) {
          const ValueState &state = evaluation.state(operand);
          return state.absent || state.isConstant();
        }))
      return ("needs a constant that is not computed (" + node.opType() + ": " +
              evaluation.reason(op).text + ")")
          .str();
  }
  return std::nullopt;
}

/// More than any model needs: a replacement is replaced again only where it is
/// simpler.
static constexpr unsigned mostReplacements = 200;

bool PatternRewrites::visit(const CleanUpContext &cx) {
  Operation *op = cx.op.getOperation();
  if (op->getNumRegions() != 0 || op->use_empty())
    return false;
  NodeBuilder &nodes = session.nodes();
  const Evaluation &evaluation = session.evaluation();
  nodes.begin(op);
  bool mayMakeNodes =
      llvm::all_of(op->getResults().drop_front(),
                   [](Value result) { return result.use_empty(); }) &&
      nodes.knowsOpset();
  for (const CleanUpPattern *pattern : index.find(cx.op)) {
    if (!pattern->replaces() || (pattern->makesNodes && !mayMakeNodes))
      continue;
    Operation *before = op->getPrevNode();
    Value value = pattern->replacement(cx);
    if (value && !nodes.isIdle()) {
      if (pattern->level == 2 && !evaluation.isFoldable(op) &&
          overflows(nodes, evaluation)) {
        session.refuse(op, (pattern->name +
                            " would make an infinity or a NaN of finite "
                            "constants")
                               .str());
        nodes.discard();
        continue;
      }
      if (auto why = whyLeft(nodes, evaluation)) {
        session.refuse(op, (pattern->name + " " + *why).str());
        nodes.discard();
        continue;
      }
      if (!growth.allows(op)) {
        session.refuse(
            op, (pattern->name + " needs constants beyond the limit on growth")
                    .str());
        nodes.discard();
        continue;
      }
      if (!session.takeOver(op, value, pattern->name))
        continue;
      isEndless |= ++depth > mostReplacements;
      if (!isEndless)
        session.visitMade(op, before);
      --depth;
      return true;
    }
    if (value && session.replace(op, value, pattern->name))
      return true;
  }
  return false;
}
