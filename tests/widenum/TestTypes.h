//===- TestTypes.h - Type lists and the APFloat oracle ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What several tests of widenum share. llvm::APFloat is the oracle: it knows
// all the formats and shares no code with widenum.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_WIDENUM_TESTTYPES_H
#define ONNXFOLD_TESTS_WIDENUM_TESTTYPES_H

#include "onnxfold/widenum/Convert.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace onnxfold::test {

template <class T> const llvm::fltSemantics &semanticsOf() {
  using llvm::APFloat;
  if constexpr (std::is_same_v<T, Float16>)
    return APFloat::IEEEhalf();
  else if constexpr (std::is_same_v<T, BFloat16>)
    return APFloat::BFloat();
  else if constexpr (std::is_same_v<T, Float8E4M3FN>)
    return APFloat::Float8E4M3FN();
  else if constexpr (std::is_same_v<T, Float8E4M3FNUZ>)
    return APFloat::Float8E4M3FNUZ();
  else if constexpr (std::is_same_v<T, Float8E5M2>)
    return APFloat::Float8E5M2();
  else if constexpr (std::is_same_v<T, Float8E5M2FNUZ>)
    return APFloat::Float8E5M2FNUZ();
  else if constexpr (std::is_same_v<T, Float6E2M3>)
    return APFloat::Float6E2M3FN();
  else if constexpr (std::is_same_v<T, Float6E3M2>)
    return APFloat::Float6E3M2FN();
  else if constexpr (std::is_same_v<T, Float4E2M1>)
    return APFloat::Float4E2M1FN();
  else if constexpr (std::is_same_v<T, float>)
    return APFloat::IEEEsingle();
  else
    return APFloat::IEEEdouble();
}

/// The formats that are rounded to with RNE and have a sign.
using RoundedFormats =
    ::testing::Types<Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ,
                     Float8E5M2, Float8E5M2FNUZ, Float6E2M3, Float6E3M2,
                     Float4E2M1>;

/// All bit patterns of the format.
template <class T> std::vector<T> allPatterns() {
  std::vector<T> patterns;
  for (uint32_t bits = 0; bits < (1u << bitWidth(dataTypeOf<T>)); ++bits)
    patterns.push_back(T{static_cast<decltype(T::bits)>(bits)});
  return patterns;
}

/// `exact`, rounded once to the format of T, without saturation.
template <class T> T roundByOracle(llvm::APFloat exact) {
  bool losesInfo;
  // APFloat has no answer for infinity in a format without infinity and NaN.
  if (exact.isInfinity() && FloatFormat<T>::specials == FloatSpecials::Finite)
    exact = llvm::APFloat(exact.isNegative() ? -1e9 : 1e9);
  exact.convert(semanticsOf<T>(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return T{
      static_cast<decltype(T::bits)>(exact.bitcastToAPInt().getZExtValue())};
}

/// The value of a pattern.
template <class T> double valueByOracle(T x) {
  llvm::APInt bits(bitWidth(dataTypeOf<T>), x.bits);
  llvm::APFloat value(semanticsOf<T>(), bits);
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Doubles at which an encoder can go wrong: every value of the format, every
/// midpoint between neighbours, and what lies an ulp (of double, and of float)
/// beside them; beyond the largest value; subnormals of float and double.
template <class T> std::vector<double> criticalDoubles() {
  std::vector<double> points;
  for (T pattern : allPatterns<T>()) {
    double value = valueByOracle(pattern);
    if (std::isfinite(value) && value >= 0)
      points.push_back(value);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  double step = points.back() - points[points.size() - 2];
  for (int i = 0; i < 3; ++i)
    points.push_back(points.back() + step);
  size_t count = points.size();
  for (size_t i = 1; i < count; ++i)
    points.push_back((points[i - 1] + points[i]) / 2);

  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> all = {1e30, 1e300, 5e-324, 1e-310, 1e-45, infinity};
  for (double point : points) {
    auto single = static_cast<float>(point);
    constexpr float top = std::numeric_limits<float>::infinity();
    all.insert(all.end(),
               {point, std::nextafter(point, infinity),
                std::nextafter(point, -infinity), std::nextafter(single, top),
                std::nextafter(single, -top)});
  }
  for (size_t i = 0, n = all.size(); i < n; ++i)
    all.push_back(-all[i]);
  return all;
}

} // namespace onnxfold::test

#endif // ONNXFOLD_TESTS_WIDENUM_TESTTYPES_H
