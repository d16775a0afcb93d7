//===- Det.cpp - Constant kernel of onnx.Det ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The determinants of square matrices in the last two dimensions; of an empty
// matrix 1, as numpy has it. Spec: onnx Det, versions 11, 22. In double,
// rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Determinant.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldDet(FoldContext &cx) {
  const Elements &x = cx.input(0);
  int64_t rank = x.rank();
  if (rank < 2 || x.dim(rank - 1) != x.dim(rank - 2))
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected square matrices");
  int64_t m = x.dim(rank - 1);
  Shape shape(x.shape().drop_back(2));
  if (auto limit = cx.checkResult(x.type(), shape))
    return limit;
  if (auto limit = cx.checkResult(DataType::Float64, {m, m}))
    return limit;
  // An empty matrix costs something too.
  if (auto limit =
          cx.checkWork(double(numElements(shape)) * (double(m) * m * m + 1)))
    return limit;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  return roundedOnce(
      x, [](auto e) { return determinants(cast(e[0], DataType::Float64)); });
}

namespace onnxfold {
void registerDet(KernelRegistry &registry) {
  registry.add("Det", {11, 22}, foldDet);
}
} // namespace onnxfold
