//===- TensorBody.cpp - A body of scalars, run on tensors -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/TensorBody.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/RunOnTensors.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using namespace mlir;

static Elements constantOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {};
  return elementsOf(attribute);
}

ReasonOr<Elements> TensorBody::of(Value value) const {
  if (auto found = values.find(value); found != values.end())
    return found->second;
  if (auto found = reasons.find(value); found != reasons.end())
    return found->second;
  Elements constant = constantOf(value);
  if (constant && constant.rank() == 0)
    return overLoops(constant);
  return notFolded(ReasonCode::InputNotConstant,
                   "its body reads a value that is not constant");
}

/// Nothing where the condition holds for all elements.
Reason TensorBody::checkAssertion(cf::AssertOp op) const {
  ReasonOr<Elements> condition = of(op.getArg());
  if (!condition)
    return condition.reason();
  if (ops::firstWhere<bool>(*condition, [](bool holds) { return !holds; }))
    return undefined("an assertion in its body fails: " + op.getMsg());
  return {};
}

Reason TensorBody::run() {
  for (Operation &op : block.without_terminator()) {
    if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
      if (Reason fails = checkAssertion(assertion))
        return fails;
      continue;
    }
    if (op.getNumResults() != 1) {
      for (Value result : op.getResults())
        reasons[result] = notFolded(
            ReasonCode::NoKernel,
            "its body has a '" + op.getName().getStringRef().str() + "'");
      continue;
    }
    ReasonOr<Elements> value = evaluate(&op);
    if (value)
      values[op.getResult(0)] = *value;
    else
      reasons[op.getResult(0)] = value.reason();
  }
  return {};
}

/// The counter of a loop, as linalg.index has it.
Elements TensorBody::counter(int64_t loop) const {
  Shape shape(loops.size(), 1);
  shape[loop] = loops[loop];
  int64_t begin = first.empty() ? 0 : first[loop];
  return ops::range(DataType::Int64, WideNum::widen(begin),
                    WideNum::widen(int64_t(1)), loops[loop])
      .reshape(shape);
}

ReasonOr<Elements> TensorBody::evaluate(Operation *op) const {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return counter(index.getDim());
  if (isa<tensor::ExtractOp>(op))
    return extract(op);
  if (Elements constant = constantOf(op->getResult(0));
      constant && constant.rank() == 0)
    return overLoops(constant);
  if (op->getNumRegions() != 0)
    return notFolded(ReasonCode::NoKernel,
                     "its body has a '" + op->getName().getStringRef().str() +
                         "'");
  SmallVector<Elements> operands;
  Shape shape(loops.size(), 1);
  for (Value operand : op->getOperands()) {
    ReasonOr<Elements> value = of(operand);
    if (!value)
      return value.reason();
    shape = *broadcastShapes(shape, value->shape());
    operands.push_back(*value);
  }
  for (Elements &operand : operands)
    operand = operand.expand(shape);
  return call(op, operands);
}

ReasonOr<Elements> TensorBody::call(Operation *op,
                                    ArrayRef<Elements> operands) const {
  ReasonOr<Elements> value = runOnTensors(op, operands, cx.exprs());
  if (value && value->rank() == int64_t(loops.size()))
    return value;
  Reason reason = value ? notFolded(ReasonCode::UnsupportedType,
                                    "no kernel for this element type")
                        : value.reason();
  return Reason{reason.code, "'" + op->getName().getStringRef().str() +
                                 "' in its body: " + reason.text};
}

/// Elements of a constant tensor, at indices that the body computes: a gather.
ReasonOr<Elements> TensorBody::extract(Operation *op) const {
  auto extract = cast<tensor::ExtractOp>(op);
  Elements x = constantOf(extract.getTensor());
  if (!x)
    return notFolded(ReasonCode::InputNotConstant,
                     "its body reads a tensor that is not constant");
  SmallVector<Elements> indices;
  Shape shape(loops.size(), 1);
  for (auto [axis, operand] : llvm::enumerate(extract.getIndices())) {
    ReasonOr<Elements> index = of(operand);
    if (!index)
      return index.reason();
    int64_t size = x.dim(axis);
    auto outside = ops::firstWhere<int64_t>(
        *index, [size](int64_t i) { return i < 0 || i >= size; });
    if (outside)
      return undefined("its body reads index " +
                       Twine(index->value<int64_t>(*outside)) +
                       " of a dimension of " + Twine(size));
    shape = *broadcastShapes(shape, index->shape());
    indices.push_back(*index);
  }
  if (indices.empty())
    return overLoops(x);
  int64_t last = loops.size();
  for (Elements &index : indices)
    index = index.expand(shape).unsqueeze({last});
  return ops::gatherND(x, ops::concat(indices, last));
}
