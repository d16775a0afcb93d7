//===- Trilu.cpp - Constant kernel of onnx.Trilu --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The upper or lower triangle of matrices, zero elsewhere. Spec: onnx Trilu,
// version 14. k moves the diagonal to the right.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldTrilu(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.rank() < 2)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a matrix or more");
  int64_t k = 0;
  if (cx.hasInput(1)) {
    if (Reason several = checkOneElement(cx, 1))
      return several;
    k = cx.intsOf(1)[0];
  }
  return trilu(x, cx.integer("upper").value_or(1) != 0, k);
}

namespace onnxfold {
void registerTrilu(KernelRegistry &registry) {
  registry.add("Trilu", {14}, foldTrilu);
}
} // namespace onnxfold
