//===- Quantization.cpp - Scales and zero points --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Quantization.h"
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Operand dml::alongAxis(LoweringContext &cx, unsigned input, const Shape &dims,
                       QuantizedAxis along) {
  auto [axis, blockSize] = along;
  Operand result = operandOf(cx, input);
  const Tensor &tensor = cx.input(input);
  if (blockSize != 0) {
    Shape blocks;
    for (int64_t i = 0; i < dims[axis]; ++i)
      blocks.push_back(i / blockSize);
    result.number = std::nullopt;
    result.view = taken(cx, cx.natural(input), tensor.dims, axis, blocks);
    result.dims = dims;
  } else if (tensor.isOneElement()) {
    result.dims.clear();
  } else if (tensor.rank() == 1) {
    result.dims.assign(dims.size(), 1);
    result.dims[axis] = tensor.dims[0];
  }
  return result;
}

Lowered dml::quantizedAxisOf(LoweringContext &cx, QuantizedAxis &axis) {
  const Shape &dims = cx.input(0).dims;
  axis.blockSize = cx.op().getInt("block_size", 0);
  // The axis only counts if there is more than one scale.
  if (cx.input(1).isOneElement() && axis.blockSize == 0)
    return Lowered::done();
  std::optional<int64_t> given =
      normalizeAxis(cx.op().getInt("axis", 1), dims.size());
  if (!given)
    return Lowered::refused("attribute 'axis' is out of range");
  axis.axis = *given;
  if (axis.blockSize != 0 && !cx.input(0).isStatic() &&
      (*given == 0 || cx.input(1).isStatic()))
    return Lowered::refusedBatch("has blocks of the free batch size");
  return Lowered::done();
}

Operand dml::centered(LoweringContext &cx, unsigned input, unsigned zero,
                      int64_t axis) {
  const Shape &dims = cx.input(input).dims;
  Operand x{cx.natural(input), dims, std::nullopt};
  if (!cx.hasInput(zero))
    return x;
  Operand shift = alongAxis(cx, zero, dims, {axis});
  if (shift.number == 0.0)
    return x;
  auto minus = [](Expr p, Expr q) { return p - q; };
  View view = broadcastBinary(cx, x, shift, dims, minus, nullptr);
  return {cx.local("centered", view), dims, std::nullopt};
}

Moved dml::centeredImages(LoweringContext &cx, unsigned input, unsigned zero) {
  Operand x = centered(cx, input, zero, 0);
  return {cx.splitAt(x.view, x.dims, 1), x.dims};
}

View dml::quantized(LoweringContext &cx, View x, const Shape &dims,
                    const Operand *zero, DataType type) {
  // Far beyond all integers of 32 bits and their zero points.
  constexpr double far = 1LL << 40;
  Expr limited = call("min", {call("max", {x.expr, -far}), far});
  View y =
      cx.local("integers", View{roundedHalfEven(limited), x.rows, x.columns});
  if (zero && zero->number != 0.0) {
    auto plus = [](Expr p, Expr q) { return p + q; };
    y = broadcastBinary(cx, {y, dims, std::nullopt}, *zero, dims, plus, plus);
  }
  auto [low, high] = integerLimits(type);
  y.expr = call("min", {call("max", {y.expr, low}), high});
  return y;
}

View dml::asInt32(LoweringContext &cx, View sums, int64_t depth) {
  // At most 255 * 255 each.
  if (depth > (int64_t(1) << 31) / (255 * 255))
    sums.expr = wrapped(cx, sums.expr, DataType::Int32);
  return sums;
}

/// f of both, rounded.
static Operand roundedStep(LoweringContext &cx, const Operand &a,
                           const Operand &b, DataType type,
                           const BinaryFunction &f) {
  Shape dims = a.dims.size() < b.dims.size() ? b.dims : a.dims;
  for (const Operand *one : {&a, &b})
    for (size_t i = 0; i < one->dims.size(); ++i)
      if (int64_t d = one->dims[i]; d != 1)
        dims[i + dims.size() - one->dims.size()] = d;
  View view = broadcastBinary(cx, a, b, dims, f, nullptr);
  view.expr = roundedTo(cx, view.expr, type);
  return {cx.local("scales", view), dims, std::nullopt};
}

Operand dml::combinedScale(LoweringContext &cx, const Operand &a,
                           const Operand &b, const Operand &y, DataType type) {
  auto times = [](Expr p, Expr q) { return p * q; };
  auto over = [](Expr p, Expr q) { return p / q; };
  return roundedStep(cx, roundedStep(cx, a, b, type, times), y, type, over);
}
