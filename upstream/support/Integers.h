//===- Integers.h - Integers without a sign ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR's integers have no sign; its operations choose one. A tensor of i1 to
// i64 is computed as int64 or uint64, which costs little in a fused chain, and
// truncated to its width again. i1 is a number of one bit here: -1 and 0, or 1
// and 0.
//
//   // maxui
//   return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return ... });
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_INTEGERS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_INTEGERS_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold::upstream {

/// The width of an integer: 1 for a bool, which the library holds in a byte.
inline unsigned numBits(DataType type) {
  return type == DataType::Bool ? 1 : bitWidth(type);
}

/// i1 to i64 (index is i64); the library holds them as bool and as signed.
inline bool isSignless(DataType type) {
  return type == DataType::Bool || (typeClass(type) == TypeClass::Signed);
}

/// The same bits as numbers without a sign.
DataType unsignedOf(DataType type);

/// x as int64 or uint64, extended with its sign or with zeros; null unless
/// isSignless.
template <class T> Elements widened(const Elements &x);
template <> Elements widened<int64_t>(const Elements &x);
template <> Elements widened<uint64_t>(const Elements &x);

/// The low bits of a tensor of int64 or uint64.
Elements lowBits(const Elements &x, DataType type);

/// The index of the first pair of numbers of type T for which `predicate` is
/// true, "[1, 3]"; nothing if there is none.
template <class T, class F>
std::optional<std::string> firstPair(const Elements &x, const Elements &y,
                                     F predicate) {
  Elements found = ops::zipAs<bool, T, T>(x, y, predicate);
  if (!found)
    return std::nullopt;
  auto number = ops::firstWhere<bool>(found, [](bool is) { return is; });
  if (!number)
    return std::nullopt;
  return toString(ops::indexOf(*number, found.shape()));
}

using Int128 = __int128;
using UInt128 = unsigned __int128;

/// "element [1, 3] <why>" if the predicate is true for a pair of numbers of
/// type T. F takes numbers of type T.
template <class T, class F>
Reason refuseWhere(const Elements &x, const Elements &y, F isBad,
                   llvm::StringRef why) {
  Elements a = widened<T>(x), b = widened<T>(y);
  if (!a || !b)
    return {};
  if (auto where = firstPair<T>(a, b, isBad))
    return undefined("element " + *where + " " + why);
  return {};
}
template <class T, class F>
Reason refuseWhere(FoldContext &cx, F isBad, llvm::StringRef why) {
  return refuseWhere<T>(cx.input(0), cx.input(1), isBad, why);
}

/// The attribute `exact`.
bool isExact(FoldContext &cx);

/// Applies f to the first two inputs as numbers of type T, and truncates the
/// result to their width.
template <class T, class F> FoldResult zipBits(FoldContext &cx, F f) {
  Elements x = widened<T>(cx.input(0)), y = widened<T>(cx.input(1));
  if (!x || !y)
    return Elements();
  return lowBits(ops::zipAs<T, T, T>(x, y, f), cx.input(0).type());
}
template <class T, auto f> FoldResult zipBits(FoldContext &cx) {
  return zipBits<T>(cx, f);
}

/// The same, or a reason if a pair is poison.
template <class T, class F, class P>
FoldResult zipBitsUnless(FoldContext &cx, F f, P isPoison,
                         llvm::StringRef why) {
  if (Reason poison = refuseWhere<T>(cx, isPoison, why))
    return poison;
  return zipBits<T>(cx, f);
}

/// Whether an exact result, which did or did not overflow 64 bits, has more
/// than `width` bits.
inline bool exceeds(bool overflowed, int64_t value, unsigned width) {
  return overflowed ||
         value != int64_t(uint64_t(value) << (64 - width)) >> (64 - width);
}
inline bool exceeds(bool overflowed, uint64_t value, unsigned width) {
  return overflowed || (width < 64 && value >> width != 0);
}

/// Checks the flags nsw and nuw: an overflow is poison. `f(a, b, &result)` says
/// whether the result overflows 64 bits, as __builtin_add_overflow does.
template <class T, class F>
Reason checkOverflow(FoldContext &cx, F f, llvm::StringRef flag) {
  unsigned width = numBits(cx.input(0).type());
  auto overflows = [f, width](T a, T b) {
    T result = 0;
    bool overflowed = f(a, b, &result);
    return exceeds(overflowed, result, width);
  };
  return refuseWhere<T>(cx, overflows,
                        ("overflows, which " + flag + " makes poison").str());
}

struct OverflowFlags {
  bool nsw, nuw;
};
/// REQUIRES: an operation of ArithIntegerOverflowFlagsInterface.
OverflowFlags overflowFlagsOf(FoldContext &cx);

/// Checks both flags of `cx`'s operation. F is as above, for any integer type.
template <class F> Reason checkOverflowFlags(FoldContext &cx, F f) {
  auto [nsw, nuw] = overflowFlagsOf(cx);
  if (nsw)
    if (Reason reason = checkOverflow<int64_t>(cx, f, "nsw"))
      return reason;
  if (nuw)
    return checkOverflow<uint64_t>(cx, f, "nuw");
  return {};
}

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_INTEGERS_H
