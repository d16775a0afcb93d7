//===- ArithCasts.cpp - Conversions of the arith dialect ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The library's cast follows ONNX, where a boolean is no number of one bit.
// What differs is written out here.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static bool isBool(const Elements &x) { return x.type() == DataType::Bool; }

/// extf, truncf, sitofp: one rounding to nearest even, from any type to any.
static FoldResult foldCast(FoldContext &cx) {
  if (cx.hasAttribute("roundingmode"))
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for attribute 'roundingmode'");
  return cast(cx.input(0), cx.resultType());
}

/// A true that is extended with its sign has all bits set.
static FoldResult foldExtSI(FoldContext &cx) {
  Elements wide = cast(cx.input(0), cx.resultType());
  if (!isBool(cx.input(0)))
    return wide;
  return map(wide, [](auto a) { return negate(a); });
}

static FoldResult foldSIToFP(FoldContext &cx) {
  if (isBool(cx.input(0)))
    return map(cast(cx.input(0), cx.resultType()),
               [](auto a) { return a == 0 ? a : negate(a); });
  return foldCast(cx);
}

/// extui, uitofp: the library holds i8 as a signed number.
static FoldResult foldFromUnsigned(FoldContext &cx) {
  return cast(asUnsigned(cx.input(0)), cx.resultType());
}

/// To i1: the lowest bit, and not whether the number is 0.
static FoldResult foldTruncI(FoldContext &cx) {
  if (cx.resultType() != DataType::Bool)
    return cast(cx.input(0), cx.resultType());
  return mapTo<bool>(cx.input(0), [](auto a) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return (a & 1) != 0;
    return false;
  });
}

/// fptosi, fptoui: poison where the number is out of range.
template <bool isUnsigned> static FoldResult foldToInteger(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  if (type == DataType::Bool)
    return Elements();
  DataType through = isUnsigned ? unsignedOf(type) : type;
  if (auto bad = firstNotConvertible(x, through))
    return undefined("element " + toString(indexOf(*bad, x.shape())) +
                     " is out of range");
  return cast(cast(x, through), type);
}

void registerArithCasts(KernelRegistry &kernels) {
  kernels.add("extf", {1}, foldCast);
  kernels.add("truncf", {1}, foldCast);
  kernels.add("sitofp", {1}, foldSIToFP);
  kernels.add("uitofp", {1}, foldFromUnsigned);
  kernels.add("fptosi", {1}, foldToInteger<false>);
  kernels.add("fptoui", {1}, foldToInteger<true>);
  kernels.add("extsi", {1}, foldExtSI);
  kernels.add("extui", {1}, foldFromUnsigned);
  kernels.add("trunci", {1}, foldTruncI);
}
