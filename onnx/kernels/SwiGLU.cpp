//===- SwiGLU.cpp - Constant kernel of onnx.SwiGLU ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// a * sigmoid(alpha * a) * b, element by element, without broadcasting. Spec:
// onnx SwiGLU, version 28. Direct: in double, rounded once, where the function
// body rounds four times.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/Swish.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldSwiGLU(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  if (a.shape() != b.shape())
    return invalid("the gate has shape " + toString(a.shape()) +
                   ", the other input " + toString(b.shape()));
  double alpha = cx.real("alpha").value_or(1);
  return roundedOnce({a, b}, [alpha](auto e) {
    return zipAs<double, double, double>(
        swish(cast(e[0], DataType::Float64), alpha),
        cast(e[1], DataType::Float64),
        [](double x, double y) { return x * y; });
  });
}

namespace onnxfold {
void registerSwiGLU(KernelRegistry &registry) {
  registry.add("SwiGLU", {28}, foldSwiGLU).costs(unitsOfFunction);
}
} // namespace onnxfold
