//===- Hardmax.cpp - Constant kernel of onnx.Hardmax ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1 at the first of the largest elements along an axis, 0 elsewhere. Spec:
// onnx Hardmax, versions 1, 11 (x is a matrix, see foldAlongAxis), 13 (`axis`,
// by default the last, alone). With a NaN runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements hardmax(const Elements &x, int64_t axis) {
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (x.size() == 0)
    return x;
  Elements first = argReduce(x, axis, /*keepDims=*/false, /*largest=*/true,
                             /*selectLast=*/false);
  return oneHot(first, x.dim(axis), axis,
                Elements::splat(x.type(), {}, WideNum::widen(0.0f)),
                Elements::splat(x.type(), {}, WideNum::widen(1.0f)));
}

static FoldResult foldHardmax(FoldContext &cx) {
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return foldAlongAxis(cx, hardmax);
}

namespace onnxfold {
void registerHardmax(KernelRegistry &registry) {
  registry.add("Hardmax", {1, 11, 13}, foldHardmax);
}
} // namespace onnxfold
