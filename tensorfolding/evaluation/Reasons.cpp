//===- Reasons.cpp - What is not evaluated at compile time, and why -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A walk over the only block of a function: a reason at an operation, or at an
// argument, is one for all that is made of it. What code must not do here is to
// run for ever (control flow), to end the process (traps), or to change
// anything (effects, calls).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/tensorfolding/evaluation/internal/PendingFold.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Empty if code may run the operation here. What is nested in it is asked by
/// the walk of the caller.
static std::string reasonOf(Operation *op) {
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (isa<CallOpInterface>(op))
    return name + " is a call";
  if (isa<RegionBranchOpInterface, BranchOpInterface, LoopLikeOpInterface>(op))
    return name + " is control flow";
  if (!isMemoryEffectFree(op))
    return name + " has memory effects";
  if (!isSpeculatable(op))
    return name + " may trap";
  ElementsAttr literal;
  if (matchPattern(op, m_Constant(&literal)) && !fromAttribute(literal))
    return "the literal at " + name + " has no value";
  return "";
}

static std::string reasonInside(Operation *op) {
  std::string reason;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (nested->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    reason = reasonOf(nested);
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

/// A constant can hold it, and code can return it.
static std::string reasonOfType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "its type is " + textOf(type) + ", expected a tensor";
  if (!tensor.hasStaticShape())
    return "its type is " + textOf(type) + ", expected a static shape";
  if (!tensor.getElementType().isIntOrIndexOrFloat() &&
      !isa<ComplexType>(tensor.getElementType()))
    return "its type is " + textOf(type) + ", expected numbers";
  if (toDataType(tensor.getElementType()) == DataType::Undefined)
    return "no constant can hold its type " + textOf(type);
  return "";
}

namespace {

/// The reasons of the values of a function.
class Reasons {
public:
  void add(Value value, std::string reason) {
    if (!reason.empty())
      reasons.try_emplace(value, std::move(reason));
  }
  std::string of(Value value) const { return reasons.lookup(value); }

  void visit(Operation *op) {
    llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), read);
    std::string reason;
    for (Value value : read)
      if (reason.empty())
        reason = of(value);
    if (reason.empty())
      reason = reasonInside(op);
    for (Value result : op->getResults())
      add(result, reason);
  }

private:
  llvm::DenseMap<Value, std::string> reasons;
};

} // namespace

void onnxfold::findReasons(PendingFold &fold) {
  Region &body = fold.function.getBody();
  if (!body.hasOneBlock()) {
    for (std::string &reason : fold.reasons)
      reason = "the function has several blocks, expected one";
    return;
  }
  Reasons reasons;
  for (BlockArgument argument : body.getArguments())
    if (!argument.use_empty())
      reasons.add(argument, "argument " +
                                std::to_string(argument.getArgNumber()) +
                                " has no value");
  Operation *end = body.front().getTerminator();
  for (Operation &op : body.front().without_terminator())
    reasons.visit(&op);
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    if (fold.values[i])
      continue;
    fold.reasons[i] = reasonOfType(value.getType());
    if (fold.reasons[i].empty())
      fold.reasons[i] = reasons.of(value);
  }
}
