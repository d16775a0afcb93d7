//===- Bits.cpp - Constant kernels of bits and truth values in tosa -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bit by bit on integers, and on bools.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

template <auto f> static FoldResult foldInBits(FoldContext &cx) {
  return zipInBits(cx.input(0), cx.input(1), f);
}

/// y = ~x, bit by bit.
static FoldResult foldTosaBitwiseNot(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (!isSmallInteger(x.type()))
    return Elements();
  return ops::cast(mapInt64(x, [](int64_t a) { return ~a; }), x.type());
}

/// y = not x, of bools.
static FoldResult foldTosaLogicalNot(FoldContext &cx) {
  if (cx.input(0).type() != DataType::Bool)
    return Elements();
  return ops::mapAs<bool, bool>(cx.input(0), [](bool a) { return !a; });
}

/// y = x << n, where n is less than the width; bits that leave are lost.
static FoldResult foldTosaLogicalLeftShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by),
      [](int64_t a, int64_t n) { return int64_t(uint64_t(a) << n); });
  return ops::cast(shifted, x.type());
}

/// y = x >> n with zeros from the left, where n is less than the width.
static FoldResult foldTosaLogicalRightShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  int64_t mask = (int64_t(1) << bitWidth(x.type())) - 1;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by),
      [mask](int64_t a, int64_t n) { return (a & mask) >> n; });
  return ops::cast(shifted, x.type());
}

/// y = x >> n with the sign from the left, where n is less than the width; with
/// `round` half of the last place is added first.
static FoldResult foldTosaArithmeticRightShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  bool rounds = cx.integer("round").value_or(0) != 0;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by), [rounds](int64_t a, int64_t n) {
        int64_t half = rounds && n > 0 ? a >> (n - 1) & 1 : 0;
        return (a >> n) + half;
      });
  return ops::cast(shifted, x.type());
}

/// The number of leading zero bits of an i32.
static FoldResult foldTosaClz(FoldContext &cx) {
  if (cx.input(0).type() != DataType::Int32)
    return Elements();
  return ops::mapAs<int32_t, int32_t>(
      cx.input(0), [](int32_t a) { return std::countl_zero(uint32_t(a)); });
}

namespace onnxfold::upstream {
void registerTosaBits(KernelRegistry &registry) {
  registry.add("bitwise_and", {1},
               foldInBits<[](auto a, auto b) { return a & b; }>);
  registry.add("bitwise_or", {1},
               foldInBits<[](auto a, auto b) { return a | b; }>);
  registry.add("bitwise_xor", {1},
               foldInBits<[](auto a, auto b) { return a ^ b; }>);
  registry.add("bitwise_not", {1}, foldTosaBitwiseNot);
  registry.add("logical_and", {1},
               foldInBits<[](auto a, auto b) { return a & b; }>);
  registry.add("logical_or", {1},
               foldInBits<[](auto a, auto b) { return a | b; }>);
  registry.add("logical_xor", {1},
               foldInBits<[](auto a, auto b) { return a ^ b; }>);
  registry.add("logical_not", {1}, foldTosaLogicalNot);
  registry.add("logical_left_shift", {1}, foldTosaLogicalLeftShift);
  registry.add("logical_right_shift", {1}, foldTosaLogicalRightShift);
  registry.add("arithmetic_right_shift", {1}, foldTosaArithmeticRightShift);
  registry.add("clz", {1}, foldTosaClz);
}
} // namespace onnxfold::upstream
