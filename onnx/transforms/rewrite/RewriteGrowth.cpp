//===- RewriteGrowth.cpp - Rewrites under the limit on growth -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/RewriteGrowth.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/rewrite/Broadcasts.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace onnxfold;
using namespace mlir;

/// Less is not looked at: it is what shapes and biases take.
static constexpr int64_t leastBytes = 4096;

/// Bytes of the constants that are unused once the new nodes take the place of
/// `op` and of what only it reads.
int64_t RewriteGrowth::bytesFreed(Operation *op,
                                  ArrayRef<Operation *> made) const {
  constexpr size_t most = 256;
  const Evaluation &evaluation = session.evaluation();
  SmallVector<Value> leaves;
  for (Operation *one : made)
    if (!evaluation.isFoldable(one))
      for (Value operand : one->getOperands())
        if (!evaluation.state(operand).isConstant() &&
            !llvm::is_contained(made, operand.getDefiningOp()))
          leaves.push_back(operand);
  SmallVector<Operation *, 4> parts = partsOf(op, leaves, evaluation);
  llvm::SmallPtrSet<Operation *, 16> gone(parts.begin(), parts.end());
  gone.insert(made.begin(), made.end());
  llvm::SetVector<Value> candidates;
  for (Operation *part : parts)
    candidates.insert_range(part->getOperands());
  int64_t bytes = 0;
  for (size_t i = 0; i < candidates.size() && i < most; ++i) {
    Operation *def = candidates[i].getDefiningOp();
    const ValueState &state = evaluation.state(candidates[i]);
    if (!def || !state.isConstant() ||
        !llvm::all_of(candidates[i].getUsers(), [&](Operation *reader) {
          return gone.contains(reader) || session.isErased(reader);
        }))
      continue;
    if (evaluation.isConstant(def)) {
      bytes += packedBytes(state.type, state.value.size());
    } else {
      bytes += counted.lookup(def);
      gone.insert(def);
      candidates.insert_range(def->getOperands());
    }
  }
  return bytes;
}

/// The constants of many bytes that new nodes read.
SmallVector<Operation *> RewriteGrowth::constantsOf() const {
  const Evaluation &evaluation = session.evaluation();
  SmallVector<Operation *> constants;
  for (Operation *one : session.nodes().unfinished())
    if (evaluation.state(one->getResult(0)).isConstant() &&
        bytesOf(one) >= leastBytes &&
        llvm::any_of(one->getUsers(), [&](Operation *reader) {
          return !evaluation.isFoldable(reader);
        }))
      constants.push_back(one);
  return constants;
}

int64_t RewriteGrowth::bytesOf(Operation *op) const {
  const Elements &value = session.evaluation().state(op->getResult(0)).value;
  return value.type() == DataType::String
             ? 0
             : packedBytes(value.type(), value.size());
}

/// Makes room for the small constants of which an Expand makes these
/// (SmallConstants), if there is.
bool RewriteGrowth::reserve(Operation *op, ArrayRef<Operation *> constants) {
  if (!session.nodes().sinceOf("Expand") || !mayStateIntegers(op))
    return false;
  int64_t bytes = 0;
  for (Operation *one : constants) {
    const Elements &value = session.evaluation().state(one->getResult(0)).value;
    SmallForm form = mayExpand(value.type()) ? smallFormOf(value) : SmallForm();
    if (!form.value || !form.isMuchSmaller(bytesOf(one)))
      return false;
    bytes += form.bytes;
  }
  if (bytes > *session.growth.leftForPlan())
    return false;
  session.growth.reserved += bytes;
  return true;
}

bool RewriteGrowth::allows(Operation *op) {
  if (!session.growth.limit)
    return true;
  SmallVector<Operation *> constants = constantsOf();
  if (constants.empty())
    return true;
  int64_t growth = -bytesFreed(op, session.nodes().unfinished());
  for (Operation *one : constants)
    growth += bytesOf(one);
  if (growth < leastBytes || growth <= left) {
    left -= growth < leastBytes ? 0 : growth;
    for (Operation *one : constants)
      counted[one] = bytesOf(one);
    return true;
  }
  bool fits = reserve(op, constants);
  waits |= !fits;
  return fits;
}

/// Beside what the limit leaves out already, a new constant would be left out,
/// too, or push out another one. But what the plan stores is in the file for the
/// next run: a constant in its place takes no more.
bool RewriteGrowth::offer() {
  if (!waits || std::exchange(wasOffered, true))
    return false;
  std::unique_ptr<FoldPlan> plan = session.draftPlan();
  left = plan->isLimited() ? 0 : *session.growth.leftForPlan() - plan->growth();
  for (Value value : plan->frontier())
    counted[value.getDefiningOp()] = plan->bytesOf(value);
  waits = false; // a walk that makes them all lets none wait
  return true;
}
