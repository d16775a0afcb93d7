//===- RunOnTensors.cpp - Operations of scalars, run on tensors -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/RunOnTensors.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/TypeUtilities.h"

using namespace onnxfold;
using namespace mlir;

static const FoldLimits &withoutLimits() {
  static const FoldLimits limits = {~uint64_t(0), ~uint64_t(0), ~uint64_t(0)};
  return limits;
}

ReasonOr<Elements> onnxfold::runOnTensors(Operation *op,
                                          ArrayRef<Elements> operands,
                                          DimExprs &exprs) {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  if (Reason kept = dialect.mustBeKept(op))
    return kept;
  int version = dialect.versionOf(op);
  ReasonOr<const Kernel *> kernel = dialect.kernelOf(op, version);
  if (!kernel)
    return kernel.reason();
  SmallVector<ValueState, 4> states(operands.size());
  SmallVector<ValueState *, 4> inputs;
  for (auto [state, value] : llvm::zip_equal(states, operands)) {
    state.type = value.type();
    state.value = value;
    inputs.push_back(&state);
  }
  ValueState result;
  result.type = toDataType(getElementTypeOrSelf(op->getResult(0).getType()));
  ValueState *results = &result;
  FoldContext context(op, **kernel, version, inputs, results, exprs,
                      withoutLimits());
  FoldResult folded = context.call(**kernel);
  if (!folded)
    return folded.reason();
  const Elements &value = folded.values()[0].tensor;
  if (!value || value.type() != result.type)
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for this element type");
  return value;
}
