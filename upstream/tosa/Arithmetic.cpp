//===- Arithmetic.cpp - Constant kernels of arithmetic in tosa ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Where the specification leaves an overflow undefined, the node is kept.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// y = a * b. Products of i32 are shifted right, rounding half up; 8 and 16
/// bits give 32. An overflow is undefined.
static FoldResult foldTosaMul(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isFloat(x.type()))
    return ops::zip(x, y, [](auto a, auto b) { return a * b; });
  if (!isSmallInteger(x.type()))
    return Elements();
  int64_t shift = cx.input(2).size() == 1 ? cx.intsOf(2)[0] : -1;
  if (shift < 0 || shift > 62 || (shift > 0 && x.type() != DataType::Int32))
    return invalid("the shift is " + llvm::Twine(shift));
  Elements products = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(y), [shift](int64_t a, int64_t b) {
        return shift == 0 ? a * b
                          : (a * b + (int64_t(1) << (shift - 1))) >> shift;
      });
  return narrowed(products, cx.resultType());
}

/// y = a / b, truncated towards zero. Division by 0 and overflow are undefined.
static FoldResult foldTosaIntdiv(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (!isInteger(x.type()))
    return Elements();
  auto isBad = [](int64_t, int64_t b) { return b == 0; };
  Elements bad =
      ops::zipAs<bool, int64_t, int64_t>(toInt64(x), toInt64(y), isBad);
  if (auto where = ops::firstWhere<bool>(bad, [](bool is) { return is; }))
    return undefined("element " + toString(ops::indexOf(*where, bad.shape())) +
                     " divides by 0");
  // The smallest number over -1 wraps in 64 bits, where it is its own negation.
  Elements overflows = ops::zipAs<bool, int64_t, int64_t>(
      toInt64(x), toInt64(y),
      [](int64_t a, int64_t b) { return ops::divisionUndefined(a, b); });
  if (auto where = ops::firstWhere<bool>(overflows, [](bool is) { return is; }))
    return undefined("element " +
                     toString(ops::indexOf(*where, overflows.shape())) +
                     " overflows");
  Elements quotients = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(y), [](int64_t a, int64_t b) { return a / b; });
  return narrowed(quotients, x.type());
}

/// y = |x|. That of the smallest integer is undefined.
static FoldResult foldTosaAbs(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (isFloat(x.type()))
    return ops::mapFloat(x, [](auto a) { return std::fabs(a); });
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(mapInt64(x, [](int64_t a) { return a < 0 ? -a : a; }),
                  x.type());
}

/// y = -(x - input zero point) + output zero point; integers saturate, and the
/// first difference must fit 32 bits.
static FoldResult foldTosaNegate(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = x.type();
  if (isFloat(type))
    return ops::mapFloat(x, [](auto a) { return -a; });
  if (!isSmallInteger(type))
    return Elements();
  ReasonOr<int64_t> from = zeroPoint(cx, 1), to = zeroPoint(cx, 2);
  if (!from || !to)
    return from ? to.reason() : from.reason();
  Elements negated =
      mapInt64(x, [from = *from](int64_t a) { return from - a; });
  Elements sums = mapInt64(negated, [to = *to](int64_t a) { return a + to; });
  for (const Elements &step : {negated, sums})
    if (FoldResult fits = narrowed(step, DataType::Int32); !fits)
      return fits;
  int64_t most = (int64_t(1) << (bitWidth(type) - 1)) - 1;
  return ops::cast(
      mapInt64(sums,
               [most](int64_t a) { return std::clamp(a, -most - 1, most); }),
      type);
}

/// The larger of two numbers; of zeros +0 is the larger. NaN as `nan_mode`
/// says.
static FoldResult foldTosaMaximum(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MaximumOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return ops::zip(cx.input(0), cx.input(1), [ignoresNan](auto a, auto b) {
    return tosaExtreme(a, b, /*wantsLarger=*/true, ignoresNan);
  });
}

/// The smaller of two numbers; of zeros +0 is the larger. NaN as `nan_mode`
/// says.
static FoldResult foldTosaMinimum(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MinimumOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return ops::zip(cx.input(0), cx.input(1), [ignoresNan](auto a, auto b) {
    return tosaExtreme(a, b, /*wantsLarger=*/false, ignoresNan);
  });
}

/// The bounds are attributes of the element type.
static Elements boundOf(mlir::Attribute bound, DataType type) {
  Elements number = elementsOf(bound);
  return number ? ops::cast(number, type) : number;
}

/// y = min(max(x, min_val), max_val). NaN as `nan_mode` says: handed on, or
/// max_val's side ignored, which gives min_val.
static FoldResult foldTosaClamp(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ClampOp>(cx.operation());
  const Elements &x = cx.input(0);
  Elements low = boundOf(op.getMinValAttr(), x.type());
  Elements high = boundOf(op.getMaxValAttr(), x.type());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  auto extreme = [&](const Elements &a, const Elements &b, bool wantsLarger) {
    return ops::zip(a, b, [=](auto v, auto bound) {
      return tosaExtreme(v, bound, wantsLarger, ignoresNan);
    });
  };
  return extreme(extreme(x, low, true), high, false);
}

/// y = a to the power of b, computed in double and rounded once.
static FoldResult foldTosaPow(FoldContext &cx) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::zipWide(cx.input(0), cx.input(1), ops::wide::pow);
}

namespace onnxfold::upstream {
void registerTosaArithmetic(KernelRegistry &registry) {
  // y = a + b. An overflow of integers is undefined.
  registry.add("add", {1}, tosaZip<[](auto a, auto b) { return a + b; }>);
  // y = a - b. An overflow of integers is undefined.
  registry.add("sub", {1}, tosaZip<[](auto a, auto b) { return a - b; }>);
  registry.add("mul", {1}, foldTosaMul);
  registry.add("intdiv", {1}, foldTosaIntdiv);
  registry.add("abs", {1}, foldTosaAbs);
  registry.add("negate", {1}, foldTosaNegate);
  registry.add("maximum", {1}, foldTosaMaximum);
  registry.add("minimum", {1}, foldTosaMinimum);
  registry.add("clamp", {1}, foldTosaClamp);
  registry.add("pow", {1}, foldTosaPow);
}
} // namespace onnxfold::upstream
