//===- Floats.cpp - Floats of every width, flags and rounding -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Floats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// The first element of a float tensor that a flag excludes, or nothing.
static std::optional<int64_t> firstExcluded(const Elements &x, bool nan,
                                            bool infinity) {
  Elements found = ops::mapTo<bool>(computable(x), [nan, infinity](auto v) {
    double d = double(v);
    return (nan && std::isnan(d)) || (infinity && std::isinf(d));
  });
  return found ? ops::firstWhere<bool>(found, [](bool is) { return is; })
               : std::nullopt;
}

FoldResult upstream::withFlags(FoldContext &cx, const Elements &result) {
  auto op = mlir::dyn_cast<mlir::arith::ArithFastMathInterface>(cx.operation());
  mlir::arith::FastMathFlagsAttr attribute =
      op ? op.getFastMathFlagsAttr() : mlir::arith::FastMathFlagsAttr();
  if (!attribute || !result)
    return result;
  auto has = [&](mlir::arith::FastMathFlags flag) {
    return mlir::arith::bitEnumContainsAll(attribute.getValue(), flag);
  };
  bool nnan = has(mlir::arith::FastMathFlags::nnan);
  bool ninf = has(mlir::arith::FastMathFlags::ninf);
  if (!nnan && !ninf)
    return result;
  llvm::SmallVector<Elements, 4> values = {result};
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    values.push_back(cx.input(i));
  for (const Elements &x : values)
    if (isFloat(x.type()) || isSmallFloat(x.type()))
      if (auto where = firstExcluded(x, nnan, ninf))
        return undefined("element " +
                         toString(ops::indexOf(*where, x.shape())) +
                         " is not finite, which a fast-math flag makes poison");
  return result;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics *semanticsOf(DataType type) {
  switch (type) {
  case DataType::Float16:
    return &APFloat::IEEEhalf();
  case DataType::BFloat16:
    return &APFloat::BFloat();
  case DataType::Float32:
    return &APFloat::IEEEsingle();
  case DataType::Float64:
    return &APFloat::IEEEdouble();
  case DataType::Float8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case DataType::Float8E4M3FNUZ:
    return &APFloat::Float8E4M3FNUZ();
  case DataType::Float8E5M2:
    return &APFloat::Float8E5M2();
  case DataType::Float8E5M2FNUZ:
    return &APFloat::Float8E5M2FNUZ();
  case DataType::Float8E8M0:
    return &APFloat::Float8E8M0FNU();
  case DataType::Float6E2M3:
    return &APFloat::Float6E2M3FN();
  case DataType::Float6E3M2:
    return &APFloat::Float6E3M2FN();
  case DataType::Float4E2M1:
    return &APFloat::Float4E2M1FN();
  default:
    return nullptr;
  }
}

double upstream::smallestNormal(DataType type) {
  const llvm::fltSemantics *semantics = semanticsOf(type);
  return semantics
             ? APFloat::getSmallestNormalized(*semantics).convertToDouble()
             : 0;
}

static APFloat::roundingMode modeOf(Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return APFloat::rmNearestTiesToEven;
  case Rounding::Downward:
    return APFloat::rmTowardNegative;
  case Rounding::Upward:
    return APFloat::rmTowardPositive;
  case Rounding::TowardZero:
    return APFloat::rmTowardZero;
  case Rounding::NearestAway:
    return APFloat::rmNearestTiesToAway;
  }
  return APFloat::rmNearestTiesToEven;
}

/// Whether a type has this number: some have no NaN, infinities, zero or signs.
static bool hasNumber(DataType type, double value) {
  if (isFiniteOnly(type))
    return std::isfinite(value);
  if (type == DataType::Float8E8M0)
    return std::isnan(value) || (value >= 0x1p-127 && value <= 0x1p127);
  return true;
}

FoldResult upstream::rounded(const Elements &x, DataType type,
                             Rounding rounding) {
  const llvm::fltSemantics *semantics = semanticsOf(type);
  if (!x || !semantics)
    return Elements();
  Elements wide = ops::cast(x, DataType::Float64);
  auto lacks = [type](double v) { return !hasNumber(type, v); };
  if (auto where = ops::firstWhere<double>(wide, lacks))
    return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                     " is not a number of " + name(type));
  APFloat::roundingMode mode = modeOf(rounding);
  unsigned width = byteWidth(type);
  return ops::mapBlocks(wide, type, [=](const void *in, void *out, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      APFloat value(static_cast<const double *>(in)[i]);
      bool losesInfo;
      value.convert(*semantics, mode, &losesInfo);
      uint64_t bits = value.bitcastToAPInt().getZExtValue();
      std::memcpy(static_cast<char *>(out) + i * width, &bits, width);
    }
  });
}

FoldResult upstream::rounded(const Elements &x, DataType type) {
  if (isSmallFloat(type))
    return rounded(x, type, Rounding::NearestEven);
  return ops::cast(x, type);
}

FoldResult upstream::finished(FoldContext &cx, const Elements &result) {
  DataType type = cx.input(0).type();
  if (!result || !isSmallFloat(type))
    return withFlags(cx, result);
  FoldResult narrow = rounded(result, type);
  return narrow ? withFlags(cx, narrow.values()[0].tensor) : narrow;
}

//===----------------------------------------------------------------------===//
// Functions of doubles
//===----------------------------------------------------------------------===//

/// Narrow floats are computed in double, so that the result is rounded once.
static Elements inDoubles(const Elements &x) {
  return isSmallFloat(x.type()) ? ops::cast(x, DataType::Float64) : x;
}

FoldResult upstream::mapDoubles(FoldContext &cx, ops::WideFunction f) {
  return finished(cx, ops::mapWide(inDoubles(cx.input(0)), f));
}

FoldResult upstream::zipDoubles(FoldContext &cx, ops::WideFunction2 f) {
  return finished(
      cx, ops::zipWide(inDoubles(cx.input(0)), inDoubles(cx.input(1)), f));
}
