//===- DequantizeLinear.cpp - Constant kernel of onnx.DequantizeLinear ----===//
// SPDX-License-Identifier: Apache-2.0
//
// (x - zero_point) * scale, rounded once. Spec: onnx DequantizeLinear, versions
// 10 (by the tensor), 13 (by an axis), 19 (float8), 21 (by blocks), 23
// (output_dtype), 24, 25, 28. Only with --fold-quantization.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Quantization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldDequantizeLinear(FoldContext &cx) {
  ReasonOr<Quantization> q = quantizationOf(cx);
  if (!q)
    return q.reason();
  if (q->zeroPoint && q->zeroPoint.type() != q->x.type())
    return invalid("the zero point has type " + name(q->zeroPoint.type()) +
                   ", expected " + name(q->x.type()) + " as input #0");
  return dequantize(q->x, q->scale, q->zeroPoint, q->options);
}

namespace onnxfold {
void registerDequantizeLinear(KernelRegistry &registry) {
  registry.add("DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28},
               foldDequantizeLinear);
}
} // namespace onnxfold
