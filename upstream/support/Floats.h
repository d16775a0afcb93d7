//===- Floats.h - Floats of every width, flags and rounding -----*- C++ -*-===//
//
// What kernels of arith and math share. Results are rounded once to their type,
// to nearest even, for the narrow floats (8 bits and less) too. Fast-math flags
// only allow other results, but for `nnan` and `ninf`: with those a NaN or an
// infinity, of an operand or of the result, is poison.
//
//   return zipFloats(cx, [](auto a, auto b) { return a + b; });
//   return mapDoubles(cx, ops::wide::exp);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold::upstream {

/// As arith.truncf names them.
enum class Rounding : uint8_t {
  NearestEven,
  Downward,
  Upward,
  TowardZero,
  NearestAway
};

inline bool isSmallFloat(DataType type) {
  return typeClass(type) == TypeClass::SmallFloat;
}

/// `result`, unless flags of `cx`'s operation make an element poison.
FoldResult withFlags(FoldContext &cx, const Elements &result);

/// x, of a float type, rounded to another; a reason where it has no such
/// number (a NaN where the type has none).
FoldResult rounded(const Elements &x, DataType type, Rounding rounding);

/// The same to nearest even.
FoldResult rounded(const Elements &x, DataType type);

/// A float in a type that there is arithmetic on, which holds all its numbers.
inline Elements computable(const Elements &x) {
  return isSmallFloat(x.type()) ? ops::cast(x, DataType::Float32) : x;
}

/// A result that was computed on computable() operands, with the flags.
FoldResult finished(FoldContext &cx, const Elements &result);

/// f of the first input, a float of any width.
template <class F> FoldResult mapFloats(FoldContext &cx, F f) {
  return finished(cx, ops::mapFloat(computable(cx.input(0)), f));
}

/// f of the first two inputs.
template <class F> FoldResult zipFloats(FoldContext &cx, F f) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return finished(
      cx, ops::zip(computable(cx.input(0)), computable(cx.input(1)), f));
}

/// A function of doubles of the first input, rounded once.
FoldResult mapDoubles(FoldContext &cx, ops::WideFunction f);

/// The same of the first two.
FoldResult zipDoubles(FoldContext &cx, ops::WideFunction2 f);

/// The smallest normal number of a float type.
double smallestNormal(DataType type);

/// A question of the first input: i1.
template <class F> FoldResult askFloats(FoldContext &cx, F f) {
  Elements x = computable(cx.input(0));
  if (!isFloat(x.type()))
    return Elements();
  return withFlags(cx, ops::mapTo<bool>(x, f));
}

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H
