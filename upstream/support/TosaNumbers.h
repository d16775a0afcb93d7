//===- TosaNumbers.h - Arithmetic as TOSA specifies it ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of several kernels of tosa. The specification REQUIREs that
// integers do not overflow. They are computed in 64 bits, and the operation is
// kept if the result does not fit.
//
//   return tosaZip(cx, [](auto a, auto b) { return a + b; });
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TOSANUMBERS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TOSANUMBERS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold::upstream {

/// Integers whose sums and products fit 64 bits.
inline bool isSmallInteger(DataType type) {
  return isInteger(type) && bitWidth(type) <= 32;
}

inline Elements toInt64(const Elements &x) {
  return ops::cast(x, DataType::Int64);
}

/// 64-bit integers as integers of `type`, if all fit.
FoldResult narrowed(const Elements &x, DataType type);

/// Applies f to two inputs that broadcast: floats, or integers whose results
/// all fit. f is total on int64.
template <class F> FoldResult tosaZip(FoldContext &cx, F f) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  auto same = [f](auto a, auto b) { return decltype(a)(f(a, b)); };
  if (isFloat(x.type()))
    return ops::zip(x, y, same);
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(ops::zip(toInt64(x), toInt64(y), same), cx.resultType());
}
template <auto f> FoldResult tosaZip(FoldContext &cx) { return tosaZip(cx, f); }

/// Applies f, a function of int64, to integers of up to 32 bits. REQUIRES: the
/// type of x holds every result.
template <class F> Elements mapInt64(const Elements &x, F f) {
  return ops::mapAs<int64_t, int64_t>(toInt64(x), f);
}

/// Applies f to bits: to integers of any width, or to bools.
template <class F>
Elements zipInBits(const Elements &x, const Elements &y, F f) {
  if (x.type() == DataType::Bool)
    return ops::zipAs<bool, bool, bool>(
        x, y, [f](bool a, bool b) { return bool(f(a, b)); });
  if (!isInteger(x.type()))
    return {};
  Elements bits =
      ops::zipAs<int64_t, int64_t, int64_t>(toInt64(x), toInt64(y), f);
  return ops::cast(bits, x.type());
}

/// The larger or smaller number; +0 is larger than -0. The result is NaN if
/// either is NaN, or with `ignoresNan` only if both are.
template <class T> T tosaExtreme(T a, T b, bool wantsLarger, bool ignoresNan) {
  if (a != a || b != b)
    return (a != a) == ignoresNan ? b : a;
  if (a == b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::signbit(a) == wantsLarger ? b : a;
    return a;
  }
  return (a > b) == wantsLarger ? a : b;
}

/// Reduces x over `axis`, which has size 1 in the result.
FoldResult reduceToExtreme(FoldContext &cx, bool wantsLarger, bool ignoresNan);

/// The attribute 'axis'; a reason if input 0 has no such dimension.
ReasonOr<int64_t> axisOf(FoldContext &cx);

/// A reason if an element of `by` is no shift for the type of x.
Reason checkShifts(const Elements &x, const Elements &by);

/// A reason if one of these indices (i64) is not in [0, size).
Reason checkIndices(const Elements &indices, int64_t size);

/// The one number of a zero point, as signed or unsigned; a reason if it is not
/// one number.
ReasonOr<int64_t> zeroPoint(FoldContext &cx, unsigned input,
                            bool isUnsigned = false);

/// x - zero point as i64. Floats are not changed.
ReasonOr<Elements> withoutZeroPoint(FoldContext &cx, unsigned input,
                                    unsigned zeroPointInput);

/// Counts before and after each spatial dimension. Negative counts are refused.
struct Pads {
  Shape begins, ends;
};
ReasonOr<Pads> padsOf(FoldContext &cx, llvm::StringRef name);

/// 64-bit shift as TOSA's apply_scale_32 has it: (a * multiplier + round) >>
/// shift. REQUIRES: 2 <= shift <= 62.
inline int64_t applyScale(int64_t a, int64_t multiplier, int64_t shift,
                          bool doubleRound) {
  int64_t round = int64_t(1) << (shift - 1);
  if (doubleRound && shift > 31)
    round += a >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  __int128 sum = __int128(a) * multiplier + round;
  return int64_t(sum >> shift);
}

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TOSANUMBERS_H
