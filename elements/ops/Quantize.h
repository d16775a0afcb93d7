//===- Quantize.h - Linear quantisation -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of ONNX's QuantizeLinear and DequantizeLinear, as the operator
// documents define it. A scale is per tensor (one element, rank 0 or 1), per
// axis (rank 1), or per block (the shape of x with the axis divided by the
// block size, rounded up).
//
//   Elements q = quantize(x, scale, zero, {.to = DataType::Int8, .axis = 1});
//   Elements y = dequantize(q, scale, zero, {.axis = 1});
//
// Results are deferred elementwise programs. Like casts, they read the rounded
// values of wide tensors, and are not wide. Thread safety: pure functions.
// The caller must refuse operands that do not fit together (checkQuantization).
// A function returns null for an element type that it does not take.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H
#define ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct QuantizeOptions {
  /// The result type. Undefined: the type of the zero point, or u8 without one
  /// (quantize); the type of the scale (dequantize).
  DataType to = DataType::Undefined;
  /// The axis of the per-axis and per-block forms, normalised.
  int64_t axis = 0;
  /// The elements in a block; 0 if the scale is not per block.
  int64_t blockSize = 0;
  /// The type to which x / scale is rounded. Undefined: the type of the scale.
  DataType precision = DataType::Undefined;
  /// How float8 results saturate.
  CastOptions cast = {};
};

/// The reason why scale, zero point and x do not fit together, as text for a
/// message, or nothing if they fit. quantize and dequantize REQUIRE that they
/// do.
std::optional<std::string> checkQuantization(const Elements &x,
                                             const Elements &scale,
                                             const Elements &zeroPoint,
                                             const QuantizeOptions &options);

/// For integer results of 2 to 32 bits:
/// saturate(round_half_even(x / scale) + zeroPoint). For float8: x / scale,
/// cast. For floats of 4 and 6 bits: x / scale + zeroPoint, cast. In an integer
/// result NaN counts as 0; ONNX leaves it undefined (firstNotQuantizable finds
/// it). zeroPoint may be null. Returns null if the result type is none of
/// these, or if x has neither a type from f16 to f64 nor i32.
Elements quantize(const Elements &x, const Elements &scale,
                  const Elements &zeroPoint, const QuantizeOptions &options);

/// Whether x / scale is NaN, for each element of x. Null if an operand is.
Elements quotientIsNaN(const Elements &x, const Elements &scale,
                       const QuantizeOptions &options);

/// x / scale in f64.
Elements quotients(const Elements &x, const Elements &scale,
                   const QuantizeOptions &options);

/// The row-major number of the first element for which x / scale is NaN, so
/// that an integer result is undefined; or nothing.
std::optional<int64_t> firstNotQuantizable(const Elements &x,
                                           const Elements &scale,
                                           const QuantizeOptions &options);

/// (x - zeroPoint) * scale, computed in double and rounded once. zeroPoint may
/// be null. Returns null if the type of x is not numeric, or the result type is
/// not a float.
Elements dequantize(const Elements &x, const Elements &scale,
                    const Elements &zeroPoint, const QuantizeOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H
