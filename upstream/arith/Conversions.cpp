//===- Conversions.cpp - Constant kernels of conversions in arith ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Between integers, index and floats of other widths, and of their bits.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"
#include "onnxfold/upstream/support/Scales.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// To a narrower float type, rounded once, as the mode says or to nearest even.
static FoldResult foldArithTruncF(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::TruncFOp>(cx.operation());
  auto mode = op.getRoundingmode();
  FoldResult result =
      mode ? rounded(cx.input(0), cx.resultType(), Rounding(unsigned(*mode)))
           : rounded(cx.input(0), cx.resultType());
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

/// The low bits. With nsw or nuw it is poison to change the number.
static FoldResult foldArithTruncI(FoldContext &cx) {
  const Elements &x = cx.input(0);
  unsigned width = numBits(cx.resultType());
  auto [nsw, nuw] = overflowFlagsOf(cx);
  auto changes = [width](auto a, auto) { return exceeds(false, a, width); };
  if (nsw)
    if (Reason poison = refuseWhere<int64_t>(x, x, changes, "overflows"))
      return poison;
  if (nuw)
    if (Reason poison = refuseWhere<uint64_t>(x, x, changes, "overflows"))
      return poison;
  return lowBits(widened<uint64_t>(x), cx.resultType());
}

/// Numbers with a sign as floats, rounded once to nearest even.
static FoldResult foldArithSIToFP(FoldContext &cx) {
  Elements x = widened<int64_t>(cx.input(0));
  return x ? rounded(x, cx.resultType()) : Elements();
}

/// Numbers without a sign as floats, rounded once to nearest even.
static FoldResult foldArithUIToFP(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  return x ? rounded(x, cx.resultType()) : Elements();
}

/// Floats cut to whole numbers from `least` up to, but without, `limit`. What
/// is out of range, and NaN, is poison.
static FoldResult truncated(FoldContext &cx, double least, double limit,
                            DataType wideType) {
  const Elements &x = cx.input(0);
  Elements wide = ops::cast(x, DataType::Float64);
  auto isOutside = [least, limit](double v) {
    double whole = std::trunc(v);
    return !(whole >= least && whole < limit);
  };
  if (auto where = ops::firstWhere<double>(wide, isOutside))
    return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                     " is out of range");
  return lowBits(ops::cast(wide, wideType), cx.resultType());
}

static FoldResult foldArithFPToSI(FoldContext &cx) {
  DataType type = cx.resultType();
  if (!isFloat(cx.input(0).type()) || !isSignless(type))
    return Elements();
  double limit = std::ldexp(1, numBits(type) - 1);
  return truncated(cx, -limit, limit, DataType::Int64);
}

static FoldResult foldArithFPToUI(FoldContext &cx) {
  DataType type = cx.resultType();
  if (!isFloat(cx.input(0).type()) || !isSignless(type))
    return Elements();
  return truncated(cx, 0, std::ldexp(1, numBits(type)), DataType::UInt64);
}

/// x * scale, both widened to the type of the result, where the product is
/// rounded. A scale that is no power of two is kept (support/Scales.h).
static FoldResult foldArithScalingExtF(FoldContext &cx) {
  DataType type = cx.resultType();
  if (!isFloat(type))
    return Elements();
  ReasonOr<Elements> scale = scaleAs(cx.input(1), type);
  if (!scale)
    return scale.reason();
  Elements x = ops::cast(cx.input(0), type);
  Elements product = ops::zip(computable(x), computable(*scale),
                              [](auto a, auto b) { return a * b; });
  FoldResult result = rounded(product, type);
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

/// x / scale in the type of x, then rounded to the type of the result as the
/// mode says or to nearest even. A scale that is no power of two is kept
/// (support/Scales.h).
static FoldResult foldArithScalingTruncF(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::ScalingTruncFOp>(cx.operation());
  const Elements &x = cx.input(0);
  if (!isFloat(x.type()))
    return Elements();
  ReasonOr<Elements> scale = scaleAs(cx.input(1), x.type());
  if (!scale)
    return scale.reason();
  FoldResult quotient = rounded(ops::zip(computable(x), computable(*scale),
                                         [](auto a, auto b) { return a / b; }),
                                x.type());
  if (!quotient)
    return quotient;
  auto mode = op.getRoundingmode();
  FoldResult result =
      rounded(quotient.values()[0].tensor, cx.resultType(),
              mode ? Rounding(unsigned(*mode)) : Rounding::NearestEven);
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

namespace onnxfold::upstream {
void registerArithConversions(KernelRegistry &registry) {
  // The same bits as another type of their width.
  registry.add("bitcast", {1}, [](FoldContext &cx) -> FoldResult {
    return sameBits(cx.input(0), cx.resultType());
  });
  // To a wider float type, which holds every number of the narrow one.
  registry.add("extf", {1}, [](FoldContext &cx) {
    return withFlags(cx, ops::cast(cx.input(0), cx.resultType()));
  });
  // To a wider integer, filled up with the sign: a true becomes -1.
  registry.add("extsi", {1}, [](FoldContext &cx) -> FoldResult {
    return lowBits(widened<int64_t>(cx.input(0)), cx.resultType());
  });
  // To a wider integer, filled up with zeros.
  registry.add("extui", {1}, [](FoldContext &cx) -> FoldResult {
    return lowBits(widened<uint64_t>(cx.input(0)), cx.resultType());
  });
  registry.add("truncf", {1}, foldArithTruncF);
  registry.add("trunci", {1}, foldArithTruncI);
  // Between integers and `index`, of 64 bits: extended with the sign, or cut.
  registry.add("index_cast", {1}, [](FoldContext &cx) -> FoldResult {
    return lowBits(widened<int64_t>(cx.input(0)), cx.resultType());
  });
  // Between integers and `index`, of 64 bits: extended with zeros, or cut.
  registry.add("index_castui", {1}, [](FoldContext &cx) -> FoldResult {
    return lowBits(widened<uint64_t>(cx.input(0)), cx.resultType());
  });
  registry.add("sitofp", {1}, foldArithSIToFP);
  registry.add("uitofp", {1}, foldArithUIToFP);
  registry.add("fptosi", {1}, foldArithFPToSI);
  registry.add("fptoui", {1}, foldArithFPToUI);
  registry.add("scaling_extf", {1}, foldArithScalingExtF);
  registry.add("scaling_truncf", {1}, foldArithScalingTruncF);
}
} // namespace onnxfold::upstream
