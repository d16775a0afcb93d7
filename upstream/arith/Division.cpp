//===- Division.cpp - Constant kernels of division in arith ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of integers. Division by 0, and of the smallest
// number by -1, is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Quotients towards zero. A division by 0 or an overflow is undefined; with
/// `exact` a remainder is poison.
static FoldResult foldArithDivSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  if (isExact(cx)) {
    auto isInexact = [isBad](int64_t a, int64_t b) {
      return !isBad(a, b) && a % b != 0;
    };
    if (Reason poison =
            refuseWhere<int64_t>(cx, isInexact, "is not a multiple"))
      return poison;
  }
  auto f = [](int64_t a, int64_t b) -> int64_t { return a / b; };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

/// Quotients of numbers without a sign. A division by 0 is undefined; with
/// `exact` a remainder is poison.
static FoldResult foldArithDivUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  if (isExact(cx)) {
    auto isInexact = [isBad](uint64_t a, uint64_t b) {
      return !isBad(a, b) && a % b != 0;
    };
    if (Reason poison =
            refuseWhere<uint64_t>(cx, isInexact, "is not a multiple"))
      return poison;
  }
  auto f = [](uint64_t a, uint64_t b) -> uint64_t { return a / b; };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

/// Quotients towards positive infinity.
static FoldResult foldArithCeilDivSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  auto f = [](int64_t a, int64_t b) -> int64_t {
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
  };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

/// Quotients of numbers without a sign, rounded up.
static FoldResult foldArithCeilDivUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  auto f = [](uint64_t a, uint64_t b) -> uint64_t {
    return a / b + (a % b != 0);
  };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

/// Quotients towards negative infinity.
static FoldResult foldArithFloorDivSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  auto f = [](int64_t a, int64_t b) -> int64_t {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

/// Remainders with the sign of the dividend; undefined where the quotient is.
static FoldResult foldArithRemSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  auto f = [](int64_t a, int64_t b) -> int64_t { return a % b; };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

/// Remainders of numbers without a sign.
static FoldResult foldArithRemUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  auto f = [](uint64_t a, uint64_t b) -> uint64_t { return a % b; };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

namespace onnxfold::upstream {
void registerArithDivision(KernelRegistry &registry) {
  registry.add("divsi", {1}, foldArithDivSI);
  registry.add("divui", {1}, foldArithDivUI);
  registry.add("ceildivsi", {1}, foldArithCeilDivSI);
  registry.add("ceildivui", {1}, foldArithCeilDivUI);
  registry.add("floordivsi", {1}, foldArithFloorDivSI);
  registry.add("remsi", {1}, foldArithRemSI);
  registry.add("remui", {1}, foldArithRemUI);
}
} // namespace onnxfold::upstream
