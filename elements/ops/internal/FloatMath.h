//===- FloatMath.h - Transcendental functions of f32 ------------*- C++ -*-===//
//
// Shorter functions for f32, with the bits of those of Math.h. An f32 needs 24
// of the 53 bits that these compute. The functions here are good to 42 bits,
// and see whether that decides the result: if the lowest and the highest number
// that the exact value can be are rounded to one float, that is the result,
// whichever way it is computed. The others, about one in 200,000, are left to
// the function of Math.h.
//
//   FloatFunction quick = floatFunction(wide::log); // null: there is none
//   if (!quick || !quick(in, out, count))
//     ...                                           // as double, rounded
//
// Thread safe. `in` and `out` do not overlap.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H

#include <cstddef>

namespace onnxfold::ops::detail {

/// out[i] = f(in[i]); false if some result is not decided. Then `out` is to be
/// computed again, all of it.
using FloatFunction = bool (*)(const float *in, float *out, size_t count);

/// That of exp, log, erf, tanh and sigmoid of Math.h; null for others.
FloatFunction floatFunction(void (*wide)(double *, size_t));

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_FLOATMATH_H
