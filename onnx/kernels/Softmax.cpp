//===- Softmax.cpp - Constant kernel of onnx.Softmax ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// exp(x) / sum(exp(x)) along an axis. Spec: onnx Softmax, versions 1, 11 (x is
// a matrix, cut before `axis`, by default 1: the sum runs over all dimensions
// from there on), 13 (`axis`, by default the last, alone).
// In double throughout, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSoftmax(FoldContext &cx) {
  return foldAlongAxis(cx, softmax);
}

namespace onnxfold {
void registerSoftmax(KernelRegistry &registry) {
  registry.add("Softmax", {1, 11, 13}, foldSoftmax).costs(unitsOfFunction);
}
} // namespace onnxfold
