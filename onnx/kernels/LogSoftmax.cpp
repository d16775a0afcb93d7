//===- LogSoftmax.cpp - Constant kernel of onnx.LogSoftmax ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// log(exp(x) / sum(exp(x))) along an axis. Spec: onnx LogSoftmax, versions 1,
// 11 (x is a matrix, see foldAlongAxis), 13 (`axis`, by default the last,
// alone). In double throughout, rounded once. Of an infinite double ONNX Runtime
// makes NaN and -inf for the others of its group, the reference evaluator NaN:
// that is kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLogSoftmax(FoldContext &cx) {
  if (cx.input(0).type() == DataType::Float64)
    if (Reason infinite = checkNoInfinity(cx, 0))
      return infinite;
  return foldAlongAxis(cx, logSoftmax);
}

namespace onnxfold {
void registerLogSoftmax(KernelRegistry &registry) {
  registry.add("LogSoftmax", {1, 11, 13}, foldLogSoftmax)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
