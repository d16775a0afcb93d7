//===- ArrayFeatureExtractor.cpp - Kernel of onnx.ml.ArrayFeatureExtractor ===//
// SPDX-License-Identifier: Apache-2.0
//
// The columns of x that indices, taken as one list, name. A vector is a matrix
// of one row. Spec: onnx.ml ArrayFeatureExtractor, version 1. Indices count
// from 0; negative ones are kept, as in ONNX Runtime.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Indices.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldArrayFeatureExtractor(FoldContext &cx) {
  const Elements &x = cx.input(0), &indices = cx.input(1);
  if (x.rank() == 0)
    return invalid("input #0 is a scalar, expected at least one dimension");
  if (auto outside = checkIndices(indices, x.dim(x.rank() - 1)))
    return outside;
  if (auto negative = checkNotNegative(indices))
    return negative;
  Shape shape(x.shape());
  shape.back() = indices.size();
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  Elements y = gather(x, indices.reshape({indices.size()}), x.rank() - 1);
  return x.rank() == 1 ? y.unsqueeze({0}) : y;
}

namespace onnxfold {
void registerArrayFeatureExtractor(KernelRegistry &registry) {
  registry.add("ml.ArrayFeatureExtractor", {1}, foldArrayFeatureExtractor);
}
} // namespace onnxfold
