//===- OptionalHasElement.cpp - Constant kernel of onnx.OptionalHasElement ===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether an optional holds something. Spec: onnx OptionalHasElement, versions
// 15, 18 (of tensors and sequences, which do, and of no input, which does not),
// 28 (more types). What these hold does not matter.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace mlir;

static FoldResult foldOptionalHasElement(FoldContext &cx) {
  if (!cx.hasInput(0))
    return Elements::splat<bool>({}, false);
  FoldedValue value = cx.anyInput(0);
  bool isTensor = cx.inputType(0) != DataType::Undefined;
  bool isSequence =
      isa<OnnxSequenceType>(cx.operation()->getOperand(0).getType());
  if (!value && !isTensor && !isSequence)
    return notFolded(ReasonCode::InputNotConstant, "input #0 is not constant");
  return Elements::splat<bool>({}, !value.isNothing);
}

namespace onnxfold {
void registerOptionalHasElement(KernelRegistry &registry) {
  registry.add("OptionalHasElement", {15, 18, 28}, foldOptionalHasElement)
      .ignoresValue(0)
      .takesSequences();
}
} // namespace onnxfold
