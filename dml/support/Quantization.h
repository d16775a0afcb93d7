//===- Quantization.h - Scales and zero points ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers of 2 to 32 bits are doubles, so that x - zero point, products and
// their sums are exact. Scales are multiplied and divided in ONNX's order and
// rounded to their type, because an integer may depend on the last bit.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_QUANTIZATION_H
#define ONNXFOLD_DML_SUPPORT_QUANTIZATION_H

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// Attributes axis and block_size of QuantizeLinear and DequantizeLinear.
struct QuantizedAxis {
  int64_t axis = 0, blockSize = 0;
};
Lowered quantizedAxisOf(LoweringContext &cx, QuantizedAxis &axis);

/// Input i (a scale or zero point) as it broadcasts to `dims`: one value, one
/// for each index of the axis, or, with blocks, for each block of it.
Operand alongAxis(LoweringContext &cx, unsigned input, const Shape &dims,
                  QuantizedAxis along);

/// x - zero point, or x if input `zero` is missing. The zero point is along
/// `axis`.
Operand centered(LoweringContext &cx, unsigned input, unsigned zero,
                 int64_t axis);

/// The same of images and kernels: one zero point, or one for each filter.
Moved centeredImages(LoweringContext &cx, unsigned input, unsigned zero);

/// x rounded half to even, plus the zero point, in the range of the type.
/// `zero` may be null.
View quantized(LoweringContext &cx, View x, const Shape &dims,
               const Operand *zero, DataType type);

/// Sums of products of integers, with at most `depth` terms of 8 bits each, as
/// int32.
View asInt32(LoweringContext &cx, View sums, int64_t depth);

/// Scale a times scale b over scale y, each step rounded to their type. The
/// scales broadcast together.
Operand combinedScale(LoweringContext &cx, const Operand &a, const Operand &b,
                      const Operand &y, DataType type);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_QUANTIZATION_H
