//===- Quantization.cpp - Attributes of (De)QuantizeLinear ----------------===//

#include "onnxfold/onnx/kernels/support/Quantization.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Casting.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// An attribute that names an element type; Undefined if it is not given.
/// (0, which is how TensorProto spells "undefined", is the default.)
static std::optional<Reason> readType(FoldContext &cx, llvm::StringRef name,
                                      DataType &type) {
  int64_t number = cx.integer(name).value_or(0);
  if (number != 0 && (!isDataType(number) || !isNumeric(DataType(number))))
    return invalid("attribute '" + name + "' is " + llvm::Twine(number) +
                   ", the number of no numeric type");
  type = DataType(number);
  return std::nullopt;
}

/// The axis only counts if there is more than one scale.
static Axis readAxis(FoldContext &cx, const Quantization &q) {
  if (q.scale.size() == 1 && q.scale.rank() <= 1)
    return {};
  if (cx.version() < 13)
    return {0, invalid("the scale has shape " + toString(q.scale.shape()) +
                       ", expected a scalar")};
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
static std::optional<Reason> checkZeroPoint(const Quantization &q) {
  if (!q.zeroPoint || q.zeroPoint.shape() == q.scale.shape() ||
      (q.zeroPoint.size() == 1 && q.scale.size() == 1))
    return std::nullopt;
  return invalid("the zero point has shape " + toString(q.zeroPoint.shape()) +
                 ", expected " + toString(q.scale.shape()) + " as the scale");
}

Quantization onnxfold::quantizationOf(FoldContext &cx) {
  Quantization q;
  q.x = cx.input(0);
  q.scale = cx.input(1);
  if (cx.hasInput(2))
    q.zeroPoint = cx.input(2);
  q.options.cast = castOptions(cx);
  q.mismatch = readType(cx, "output_dtype", q.options.to);
  if (!q.mismatch)
    q.mismatch = readType(cx, "precision", q.options.precision);
  Axis axis = readAxis(cx, q);
  if (!q.mismatch)
    q.mismatch = axis.wrong;
  if (!q.mismatch)
    q.mismatch = checkZeroPoint(q);
  if (q.mismatch)
    return q;
  q.options.axis = axis.value;
  q.options.blockSize = blockSizeOf(cx, q);
  if (auto why = checkQuantization(q.x, q.scale, q.zeroPoint, q.options))
    q.mismatch = invalid(*why);
  return q;
}
