//===- Quantize.h - Linear quantisation -------------------------*- C++ -*-===//
//
// The arithmetic of ONNX's QuantizeLinear and DequantizeLinear, as its operator
// documents define it, for scales per tensor (one element, rank 0 or 1), per
// axis (rank 1) and per block (rank of x, the axis divided by the block size,
// rounded up).
//
//   Elements q = quantize(x, scale, zero, {.to = DataType::Int8, .axis = 1});
//   Elements y = dequantize(q, scale, zero, {.axis = 1});
//
// Results are deferred elementwise programs. As casts, they read the rounded
// values of wide tensors, and are not wide. Thread safety: pure functions.
// What does not fit together is the caller's to refuse (checkQuantization); a
// function returns null for an element type that it does not take.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H
#define ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct QuantizeOptions {
  /// Result type. Undefined: the zero point's, or u8 (quantize); the scale's
  /// (dequantize).
  DataType to = DataType::Undefined;
  /// Normalised; of the per-axis and per-block forms.
  int64_t axis = 0;
  /// 0: not by blocks.
  int64_t blockSize = 0;
  /// Type in which x / scale is rounded; Undefined: the scale's.
  DataType precision = DataType::Undefined;
  /// How float8 results saturate.
  CastOptions cast = {};
};

/// Why scale, zero point and x do not fit together, in words for a message, or
/// nothing if they do: the precondition of both functions.
std::optional<std::string> checkQuantization(const Elements &x,
                                             const Elements &scale,
                                             const Elements &zeroPoint,
                                             const QuantizeOptions &options);

/// saturate(round_half_even(x / scale) + zeroPoint) for integer results of 2 to
/// 32 bits; a cast of x / scale to float8, of x / scale + zeroPoint to floats
/// of 4 and 6 bits. A NaN counts as 0 for integers, where ONNX leaves it
/// undefined (firstNotQuantizable finds it). zeroPoint may be null. Null if
/// `to` is none of these types or x is neither f16 to f64 nor i32.
Elements quantize(const Elements &x, const Elements &scale,
                  const Elements &zeroPoint, const QuantizeOptions &options);

/// The first element for which x / scale is NaN, and so the integer result
/// undefined, or nothing.
std::optional<int64_t> firstNotQuantizable(const Elements &x,
                                           const Elements &scale,
                                           const QuantizeOptions &options);

/// (x - zeroPoint) * scale, in double, rounded once. zeroPoint may be null.
/// Null if x is no numeric type or the result type is no float.
Elements dequantize(const Elements &x, const Elements &scale,
                    const Elements &zeroPoint, const QuantizeOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_QUANTIZE_H
