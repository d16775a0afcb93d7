//===- Floats.h - Floats of every width, flags and rounding -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of the kernels of arith and math. Results are rounded once to
// their type, to nearest even; this includes the narrow floats (8 bits and
// less). Fast-math flags only permit other results, except for `nnan` and
// `ninf`: with these a NaN or an infinity in an operand or in the result is
// poison.
//
//   return zipFloats(cx, [](auto a, auto b) { return a + b; });
//   return mapDoubles(cx, ops::wide::exp);
//
// With the function as a template argument they are kernels:
//
//   registry.add("exp", {1}, mapDoubles<ops::wide::exp>);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold::upstream {

/// The rounding modes of arith.truncf.
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

/// Whether a float type has neither infinities nor a NaN.
inline bool isFiniteOnly(DataType type) {
  return type == DataType::Float4E2M1 || type == DataType::Float6E2M3 ||
         type == DataType::Float6E3M2;
}

/// `result`, unless flags of `cx`'s operation make an element poison.
FoldResult withFlags(FoldContext &cx, const Elements &result);

/// x rounded from its float type to another; a reason if that type has no such
/// number (such as a NaN).
FoldResult rounded(const Elements &x, DataType type, Rounding rounding);

/// The same to nearest even.
FoldResult rounded(const Elements &x, DataType type);

/// x in a float type that holds all its numbers and on which there is
/// arithmetic.
inline Elements computable(const Elements &x) {
  return isSmallFloat(x.type()) ? ops::cast(x, DataType::Float32) : x;
}

/// A result that was computed on computable() operands, with the flags.
FoldResult finished(FoldContext &cx, const Elements &result);

/// Applies f to the first input, a float of any width.
template <class F> FoldResult mapFloats(FoldContext &cx, F f) {
  return finished(cx, ops::mapFloat(computable(cx.input(0)), f));
}

/// Applies f to the first two inputs.
template <class F> FoldResult zipFloats(FoldContext &cx, F f) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return finished(
      cx, ops::zip(computable(cx.input(0)), computable(cx.input(1)), f));
}

/// Applies a function of doubles to the first input, and rounds once.
FoldResult mapDoubles(FoldContext &cx, ops::WideFunction f);

/// Applies such a function to the first two inputs.
FoldResult zipDoubles(FoldContext &cx, ops::WideFunction2 f);

template <auto f> FoldResult mapFloats(FoldContext &cx) {
  return mapFloats(cx, f);
}
template <auto f> FoldResult zipFloats(FoldContext &cx) {
  return zipFloats(cx, f);
}
template <auto f> FoldResult mapDoubles(FoldContext &cx) {
  return mapDoubles(cx, f);
}
template <auto f> FoldResult zipDoubles(FoldContext &cx) {
  return zipDoubles(cx, f);
}

/// The smallest normal number of a float type.
double smallestNormal(DataType type);

/// Applies a predicate to the first input. The result is i1.
template <class F> FoldResult askFloats(FoldContext &cx, F f) {
  Elements x = computable(cx.input(0));
  if (!isFloat(x.type()))
    return Elements();
  return withFlags(cx, ops::mapTo<bool>(x, f));
}
template <auto f> FoldResult askFloats(FoldContext &cx) {
  return askFloats(cx, f);
}

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_FLOATS_H
