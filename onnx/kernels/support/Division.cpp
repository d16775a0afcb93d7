//===- Division.cpp - Where integer division is undefined -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Division.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// One divisor for all, and none that is undefined for any dividend.
static bool isHarmlessSplat(const Elements &y) {
  if (!y.isSplat() || y.size() == 0)
    return false;
  WideNum divisor = y.number();
  return divisor != WideNum::widen(0) && divisor != WideNum::widen(-1);
}

Reason onnxfold::findUndefinedDivision(const Elements &x, const Elements &y) {
  if (!isInteger(x.type()) || isHarmlessSplat(y))
    return {};
  Elements bad = zipTo<bool>(x, y, [](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return divisionUndefined(a, b);
    else
      return false;
  });
  if (!bad)
    return {};
  auto first = firstWhere<bool>(bad, [](bool undefined) { return undefined; });
  if (!first)
    return {};
  std::string index = toString(indexOf(*first, x.shape()));
  if (y.number(*first).to<int64_t>() == 0)
    return undefined("divisor element " + index + " is 0 and the type is " +
                     name(y.type()));
  return undefined("element " + index + " is the smallest " + name(x.type()) +
                   " divided by -1");
}
