//===- NonZero.cpp - Constant kernel of onnx.NonZero ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The indices of the elements that are not zero, as columns of a matrix. Spec:
// onnx NonZero, versions 9, 13. NaN is not zero. A scalar has no index: the
// result has no rows, and a column if it is not zero.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldNonZero(FoldContext &cx) { return nonZero(cx.input(0)); }

namespace onnxfold {
void registerNonZero(KernelRegistry &registry) {
  registry.add("NonZero", {9, 13}, foldNonZero).costs(unitsOfReading);
}
} // namespace onnxfold
