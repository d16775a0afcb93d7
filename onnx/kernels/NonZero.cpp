//===- NonZero.cpp - Constant kernel of onnx.NonZero ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The indices of the elements that are not zero, as columns of a matrix. Spec:
// onnx NonZero, versions 9, 13. NaN is not zero. A scalar has no index: by the
// text the result has no rows, and a column if it is not zero. ONNX Runtime
// takes it for a list of one element, and NumPy refuses it: it is kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldNonZero(FoldContext &cx) {
  if (cx.input(0).rank() == 0 && !mustDecide(cx))
    return undefined("input #0 is a scalar, of which ONNX Runtime makes a row");
  return nonZero(cx.input(0));
}

namespace onnxfold {
void registerNonZero(KernelRegistry &registry) {
  registry.add("NonZero", {9, 13}, foldNonZero).costs(unitsOfReading);
}
} // namespace onnxfold
