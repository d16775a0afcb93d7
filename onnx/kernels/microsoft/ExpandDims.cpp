//===- ExpandDims.cpp - Kernel of com.microsoft.ExpandDims ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// X with a dimension of 1 before `axis`, which counts in the result if it is
// negative.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftExpandDims(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{anyType}, {int32}}))
    return wrong;
  const Elements &x = cx.input(0);
  if (cx.input(1).size() != 1)
    return invalid("the axis has shape " + toString(cx.input(1).shape()) +
                   ", expected one element");
  int64_t axis = cx.intsOf(1)[0], rank = x.rank() + 1;
  if (axis < -rank || axis >= rank)
    return invalid("the axis is " + llvm::Twine(axis) +
                   ", the result has rank " + llvm::Twine(rank));
  return x.unsqueeze({axis < 0 ? axis + rank : axis});
}

namespace onnxfold {
void registerMicrosoftExpandDims(KernelRegistry &registry) {
  registry.add("microsoft.ExpandDims", {1}, foldMicrosoftExpandDims);
}
} // namespace onnxfold
