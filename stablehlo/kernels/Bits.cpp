//===- Bits.cpp - Constant kernels of bits and comparisons ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bits of integers and bools, shifts, counts, comparisons.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// A function of bits, for integers and bools.
template <class F> static FoldResult zipBits(FoldContext &cx, F f) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [f](bool a, bool b) { return (f(a, b) & 1) != 0; });
  if (!isInteger(x.type()))
    return Elements();
  return zipNumbers(x, y, [f](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return decltype(a)(f(a, b));
    else
      return a;
  });
}

static FoldResult foldAnd(FoldContext &cx) {
  return zipBits(cx, [](auto a, auto b) { return a & b; });
}
static FoldResult foldOr(FoldContext &cx) {
  return zipBits(cx, [](auto a, auto b) { return a | b; });
}
static FoldResult foldXor(FoldContext &cx) {
  return zipBits(cx, [](auto a, auto b) { return a ^ b; });
}

/// Each bit inverted.
static FoldResult foldNot(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.type() == DataType::Bool)
    return ops::mapAs<bool, bool>(x, [](bool a) { return !a; });
  if (!isInteger(x.type()))
    return Elements();
  return mapNumbers(x, [](auto a) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return decltype(a)(~a);
    else
      return a;
  });
}

//===----------------------------------------------------------------------===//
// Shifts and counts
//===----------------------------------------------------------------------===//

enum class Shift { Left, Logical, Arithmetic };

/// `width` bits of a, shifted by b read without a sign: beyond the width all
/// bits are shifted out.
template <class T> static T shifted(T a, T b, int width, Shift kind) {
  using U = std::make_unsigned_t<T>;
  U mask = width == int(8 * sizeof(T)) ? U(~U(0)) : U((U(1) << width) - 1);
  U count = U(b) & mask;
  bool isOut = count >= U(width);
  switch (kind) {
  case Shift::Left:
    return isOut ? T(0) : T(U(a) << count);
  case Shift::Logical:
    return isOut ? T(0) : T((U(a) & mask) >> count);
  case Shift::Arithmetic:
    // The highest bit of a number without a sign counts as its sign.
    using S = std::make_signed_t<T>;
    int unused = 8 * sizeof(T) - width;
    S value = S(S(U(a) << unused) >> unused);
    return T(value >> (isOut ? U(width - 1) : count));
  }
  return a;
}

template <Shift kind> static FoldResult foldShift(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (!isInteger(x.type()))
    return Elements();
  int width = bitWidth(x.type());
  return zipNumbers(x, cx.input(1), [width](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return shifted(a, b, width, kind);
    else
      return a;
  });
}

template <bool countsZeros> static FoldResult foldCount(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (!isInteger(x.type()))
    return Elements();
  int width = bitWidth(x.type());
  return mapNumbers(x, [width](auto a) {
    using T = decltype(a);
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      int unused = 8 * sizeof(T) - width;
      U bits = U(U(a) << unused);
      return T(countsZeros ? std::min(std::countl_zero(bits), width)
                           : std::popcount(bits));
    } else {
      return a;
    }
  });
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

enum class Order { EQ, NE, GE, GT, LE, LT };

static std::optional<Order> orderOf(FoldContext &cx) {
  llvm::StringRef word =
      wordOf(cx.operation()->getAttr("comparison_direction"));
  constexpr llvm::StringLiteral words[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  auto found = llvm::find(words, word);
  if (found == std::end(words))
    return std::nullopt;
  return Order(found - std::begin(words));
}

template <class T> static bool holds(Order order, T a, T b) {
  switch (order) {
  case Order::EQ:
    return a == b;
  case Order::NE:
    return a != b;
  case Order::GE:
    return a >= b;
  case Order::GT:
    return a > b;
  case Order::LE:
    return a <= b;
  case Order::LT:
    return a < b;
  }
  return false;
}

/// Integers in the order of floats by their bits: -NaN, -inf, ..., -0, +0, ...,
/// inf, NaN.
static Elements inTotalOrder(const Elements &x) {
  constexpr DataType integers[] = {DataType::Int8, DataType::Int16,
                                   DataType::Int32, DataType::Int64};
  unsigned width = bitWidth(x.type());
  if (width < 8)
    return {};
  Elements bits = upstream::sameBits(x, integers[llvm::Log2_32(width) - 3]);
  return ops::map(bits, [](auto a) {
    using T = decltype(a);
    if constexpr (std::is_integral_v<T>)
      return T(a < 0 ? T(a ^ std::numeric_limits<T>::max()) : a);
    else
      return a;
  });
}

static FoldResult foldCompare(FoldContext &cx) {
  std::optional<Order> order = orderOf(cx);
  if (!order)
    return invalid("attribute 'comparison_direction' is none");
  Elements x = cx.input(0), y = cx.input(1);
  llvm::StringRef kind = wordOf(cx.operation()->getAttr("compare_type"));
  if (x.type() == DataType::Bool)
    return zipBools(x, y, [order = *order](bool a, bool b) {
      return holds(order, int(a), int(b));
    });
  if (isComplex(x.type())) {
    if (*order != Order::EQ && *order != Order::NE)
      return notFolded(ReasonCode::UnsupportedType,
                       "compares the order of complex numbers");
    return ops::zipAs<bool, Complex, Complex>(
        inDouble(x), inDouble(y),
        [equal = *order == Order::EQ](auto a, auto b) {
          return (a == b) == equal;
        });
  }
  if (isFloat(x.type()) && kind == "TOTALORDER")
    x = inTotalOrder(x), y = inTotalOrder(y);
  else if (typeClass(x.type()) == TypeClass::SmallFloat)
    x = ops::cast(x, DataType::Float32), y = ops::cast(y, DataType::Float32);
  if (!x)
    return Elements();
  return ops::zipTo<bool>(
      computable(x), computable(y),
      [order = *order](auto a, auto b) { return holds(order, a, b); });
}

/// Neither infinite nor NaN.
static FoldResult foldIsFinite(FoldContext &cx) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::mapTo<bool>(computable(cx.input(0)),
                          [](auto a) { return std::isfinite(double(a)); });
}

namespace onnxfold::hlo {
void registerBits(KernelRegistry &registry) {
  // Bit by bit.
  registry.add("and", {1}, alike<foldAnd>).mapsElements();
  registry.add("or", {1}, alike<foldOr>).mapsElements();
  registry.add("xor", {1}, alike<foldXor>).mapsElements();
  registry.add("not", {1}, alike<foldNot, 1>).mapsElements();
  // Shifted, filled up with zeros or with the sign.
  registry.add("shift_left", {1}, alike<foldShift<Shift::Left>>).mapsElements();
  registry.add("shift_right_logical", {1}, alike<foldShift<Shift::Logical>>)
      .mapsElements();
  registry
      .add("shift_right_arithmetic", {1}, alike<foldShift<Shift::Arithmetic>>)
      .mapsElements();
  // Zeros above the highest one; ones.
  registry.add("count_leading_zeros", {1}, alike<foldCount<true>, 1>)
      .mapsElements();
  registry.add("popcnt", {1}, alike<foldCount<false>, 1>).mapsElements();
  // A comparison of numbers, or of the bits of floats (TOTALORDER).
  registry.add("compare", {1}, alike<foldCompare>).mapsElements();
  registry.add("is_finite", {1}, alike<foldIsFinite, 1>).mapsElements();
}
} // namespace onnxfold::hlo
