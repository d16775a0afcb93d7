//===- Quantization.cpp - Attributes of (De)QuantizeLinear ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Quantization.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Casting.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// An attribute that names an element type; Undefined if it is not given.
/// (0, which is how TensorProto spells "undefined", is the default.)
static Reason readType(FoldContext &cx, llvm::StringRef name, DataType &type) {
  int64_t number = cx.integer(name).value_or(0);
  if (number != 0 && (!isDataType(number) || !isNumeric(DataType(number))))
    return invalid("attribute '" + name + "' is " + llvm::Twine(number) +
                   ", the number of no numeric type");
  type = DataType(number);
  return {};
}

/// The axis only counts if there is more than one scale.
static ReasonOr<int64_t> readAxis(FoldContext &cx, const Quantization &q) {
  if (q.scale.size() == 1 && q.scale.rank() <= 1)
    return 0;
  if (cx.version() < 13)
    return invalid("the scale has shape " + toString(q.scale.shape()) +
                   ", expected a scalar");
  return axisOf(cx, /*byDefault=*/1, q.x.rank());
}

/// A block longer than the axis is the whole axis.
static int64_t blockSizeOf(FoldContext &cx, const Quantization &q) {
  int64_t size = cx.integer("block_size").value_or(0);
  return q.x.rank() == 0
             ? size
             : std::min(size, std::max<int64_t>(1, q.x.dim(q.options.axis)));
}

/// The zero points are as many as the scales.
static Reason checkZeroPoint(const Quantization &q) {
  if (!q.zeroPoint || q.zeroPoint.shape() == q.scale.shape() ||
      (q.zeroPoint.size() == 1 && q.scale.size() == 1))
    return {};
  return invalid("the zero point has shape " + toString(q.zeroPoint.shape()) +
                 ", expected " + toString(q.scale.shape()) + " as the scale");
}

ReasonOr<Quantization> onnxfold::quantizationOf(FoldContext &cx) {
  Quantization q;
  q.x = cx.input(0);
  q.scale = cx.input(1);
  if (cx.hasInput(2))
    q.zeroPoint = cx.input(2);
  q.options.cast = castOptions(cx);
  if (Reason wrong = readType(cx, "output_dtype", q.options.to))
    return wrong;
  if (Reason wrong = readType(cx, "precision", q.options.precision))
    return wrong;
  ReasonOr<int64_t> axis = readAxis(cx, q);
  if (!axis)
    return axis.reason();
  if (Reason wrong = checkZeroPoint(q))
    return wrong;
  q.options.axis = *axis;
  q.options.blockSize = blockSizeOf(cx, q);
  if (auto why = checkQuantization(q.x, q.scale, q.zeroPoint, q.options))
    return invalid(*why);
  return q;
}
