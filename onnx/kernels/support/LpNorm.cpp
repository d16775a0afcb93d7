//===- LpNorm.cpp - Powers and roots of Lp pooling ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/LpNorm.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

ReasonOr<LpNorm> onnxfold::readLpNorm(FoldContext &cx) {
  std::optional<int64_t> whole = cx.integer("p");
  double p = whole ? double(*whole) : cx.real("p").value_or(2);
  if (!(p > 0) || std::isinf(p))
    return invalid("attribute 'p' is not a positive number");
  return LpNorm{p};
}

Elements LpNorm::power(const Elements &x) const {
  Elements wide = cast(x, DataType::Float64);
  if (p == 2)
    return mapAs<double, double>(wide, [](double v) { return v * v; });
  Elements positive =
      mapAs<double, double>(wide, [](double v) { return std::fabs(v); });
  return p == 1 ? positive
                : zipWide(positive, Elements::splat<double>({}, p), wide::pow);
}

Elements LpNorm::root(const Elements &sums) const {
  if (p == 1)
    return sums;
  if (p == 2)
    return mapAs<double, double>(sums, [](double v) { return std::sqrt(v); });
  return zipWide(sums, Elements::splat<double>({}, 1 / p), wide::pow);
}
