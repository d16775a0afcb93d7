//===- LogSoftmax.cpp - Constant kernel of onnx.LogSoftmax ----------------===//
//
// log(exp(x) / sum(exp(x))) along an axis. Spec: onnx LogSoftmax, versions 1,
// 11 (x is a matrix, see foldAlongAxis), 13 (`axis`, by default the last,
// alone). In double throughout, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLogSoftmax(FoldContext &cx) {
  return foldAlongAxis(cx, logSoftmax);
}

namespace onnxfold {
void registerLogSoftmax(KernelRegistry &registry) {
  registry.add("LogSoftmax", {1, 11, 13}, foldLogSoftmax)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
