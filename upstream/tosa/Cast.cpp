//===- Cast.cpp - Constant kernel of tosa.cast ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers wrap; floats become the nearest integer that the type has, ties to even.
// NaN as an integer is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Floats as integers: rounded, and saturated.
static FoldResult roundToInteger(const Elements &x, DataType type) {
  Elements wide = ops::cast(x, DataType::Float64);
  if (auto nan = ops::firstWhere<double>(wide, [](double v) { return v != v; }))
    return undefined("element " + toString(ops::indexOf(*nan, x.shape())) +
                     " is not a number");
  double limit = std::ldexp(1, bitWidth(type) - 1);
  // The largest i64 is no double.
  double most = bitWidth(type) == 64 ? std::nextafter(limit, 0) : limit - 1;
  if (bitWidth(type) == 64)
    if (auto large = ops::firstWhere<double>(
            wide, [=](double v) { return v < -limit || v > most; }))
      return undefined("element " + toString(ops::indexOf(*large, x.shape())) +
                       " is out of range");
  Elements nearest = ops::mapAs<double, double>(wide, [=](double v) {
    return std::fmin(std::fmax(std::nearbyint(v), -limit), most);
  });
  return ops::cast(nearest, type);
}

static FoldResult foldTosaCast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  if (type == DataType::Undefined || type == DataType::String)
    return Elements();
  if (isFloat(x.type()) && isInteger(type))
    return roundToInteger(x, type);
  return ops::cast(x, type);
}

namespace onnxfold::upstream {
void registerTosaCast(KernelRegistry &registry) {
  registry.add("cast", {1}, foldTosaCast);
}
} // namespace onnxfold::upstream
