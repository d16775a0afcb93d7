//===- FloatMath.h - Transcendental functions of f32 ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Faster functions for f32, with the same result bits as those of Math.h. An
// f32 needs 24 of the 53 bits that Math.h computes. The functions here are
// accurate to 42 bits, and test whether that decides the result: if the lowest
// and the highest possible exact value are rounded to one float, this float is
// the result of any method. About one value in 200,000 is not decided; callers
// use the function of Math.h for it.
//
//   FloatFunction quick = floatFunction(wide::log); // null: there is none
//   if (!quick || !quick(in, out, count))
//     ...                                           // as double, rounded
//
// The functions are thread safe. `in` and `out` must not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H

#include <cstddef>

namespace onnxfold::ops::detail {

/// out[i] = f(in[i]); false if some result is not decided. The caller then
/// computes all of `out` again.
using FloatFunction = bool (*)(const float *in, float *out, size_t count);

/// The fast function for exp, log, erf, tanh or sigmoid of Math.h; null for
/// other functions.
FloatFunction floatFunction(void (*wide)(double *, size_t));

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H
