//===- Integers.cpp - Constant kernels of arith on integers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums, products, the larger and the smaller, bits, comparisons, and the choice
// of one of two values.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/Integers.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Sums modulo 2^width. With nsw or nuw an overflow is poison.
static FoldResult foldArithAddI(FoldContext &cx) {
  auto exact = [](auto a, auto b, auto *r) {
    return __builtin_add_overflow(a, b, r);
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a + b; });
}

/// Differences modulo 2^width. With nsw or nuw an overflow is poison.
static FoldResult foldArithSubI(FoldContext &cx) {
  auto exact = [](auto a, auto b, auto *r) {
    return __builtin_sub_overflow(a, b, r);
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a - b; });
}

/// Products modulo 2^width. With nsw or nuw an overflow is poison.
static FoldResult foldArithMulI(FoldContext &cx) {
  auto exact = [](auto a, auto b, auto *r) {
    return __builtin_mul_overflow(a, b, r);
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a * b; });
}

/// Sums modulo 2^width, and whether they overflow.
static FoldResult foldArithAddUIExtended(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  Elements y = widened<uint64_t>(cx.input(1));
  if (!x || !y)
    return Elements();
  unsigned width = numBits(cx.input(0).type());
  Elements sum = ops::zipAs<uint64_t, uint64_t, uint64_t>(
      x, y, [](uint64_t a, uint64_t b) { return a + b; });
  Elements overflow = ops::zipAs<bool, uint64_t, uint64_t>(
      x, y, [width](uint64_t a, uint64_t b) {
        uint64_t r = 0;
        bool overflowed = __builtin_add_overflow(a, b, &r);
        return exceeds(overflowed, r, width);
      });
  return llvm::SmallVector<Elements, 1>{lowBits(sum, cx.input(0).type()),
                                        overflow};
}

/// The low and the high half of products, which `Wide` holds.
template <class T, class Wide>
static FoldResult foldArithMulExtended(FoldContext &cx) {
  Elements x = widened<T>(cx.input(0)), y = widened<T>(cx.input(1));
  if (!x || !y)
    return Elements();
  DataType type = cx.input(0).type();
  unsigned width = numBits(type);
  Elements low = ops::zipAs<T, T, T>(
      x, y, [](T a, T b) { return T(uint64_t(a) * uint64_t(b)); });
  Elements high = ops::zipAs<T, T, T>(
      x, y, [width](T a, T b) { return T(Wide(a) * b >> width); });
  return llvm::SmallVector<Elements, 1>{lowBits(low, type),
                                        lowBits(high, type)};
}

using mlir::arith::CmpIPredicate;

template <class T> static bool holds(CmpIPredicate predicate, T a, T b) {
  switch (predicate) {
  case CmpIPredicate::eq:
    return a == b;
  case CmpIPredicate::ne:
    return a != b;
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return a < b;
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    return a <= b;
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    return a > b;
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

template <class T>
static FoldResult compared(FoldContext &cx, CmpIPredicate predicate) {
  Elements x = widened<T>(cx.input(0)), y = widened<T>(cx.input(1));
  return ops::zipAs<bool, T, T>(
      x, y, [predicate](T a, T b) { return holds(predicate, a, b); });
}

/// Compares integers as the predicate says: with a sign, or without.
static FoldResult foldArithCmpI(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::CmpIOp>(cx.operation());
  CmpIPredicate predicate = op.getPredicate();
  if (predicate < CmpIPredicate::ult)
    return compared<int64_t>(cx, predicate);
  return compared<uint64_t>(cx, predicate);
}

namespace onnxfold::upstream {
void registerArithIntegers(KernelRegistry &registry) {
  registry.add("addi", {1}, foldArithAddI);
  registry.add("subi", {1}, foldArithSubI);
  registry.add("muli", {1}, foldArithMulI);
  registry.add("addui_extended", {1}, foldArithAddUIExtended);
  registry.add("mulsi_extended", {1}, foldArithMulExtended<int64_t, Int128>);
  registry.add("mului_extended", {1}, foldArithMulExtended<uint64_t, UInt128>);
  // The larger of two numbers with a sign.
  registry.add(
      "maxsi", {1},
      zipBits<int64_t, [](int64_t a, int64_t b) { return a < b ? b : a; }>);
  // The larger of two numbers without a sign.
  registry.add(
      "maxui", {1},
      zipBits<uint64_t, [](uint64_t a, uint64_t b) { return a < b ? b : a; }>);
  // The smaller of two numbers with a sign.
  registry.add(
      "minsi", {1},
      zipBits<int64_t, [](int64_t a, int64_t b) { return b < a ? b : a; }>);
  // The smaller of two numbers without a sign.
  registry.add(
      "minui", {1},
      zipBits<uint64_t, [](uint64_t a, uint64_t b) { return b < a ? b : a; }>);
  // Bitwise and.
  registry.add("andi", {1},
               zipBits<uint64_t, [](uint64_t a, uint64_t b) { return a & b; }>);
  // Bitwise or.
  registry.add("ori", {1},
               zipBits<uint64_t, [](uint64_t a, uint64_t b) { return a | b; }>);
  // Bitwise exclusive or.
  registry.add("xori", {1},
               zipBits<uint64_t, [](uint64_t a, uint64_t b) { return a ^ b; }>);
  registry.add("cmpi", {1}, foldArithCmpI);
  // One of two values; the condition may be one for all elements.
  registry.add("select", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::select(cx.input(0), cx.input(1), cx.input(2));
  });
}
} // namespace onnxfold::upstream
