//===- FPToUI.cpp - Constant kernel of arith.fptoui ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Floats cut to numbers without a sign. Out of range, and NaN, is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithFPToUI(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  if (!isFloat(x.type()) || !isSignless(type))
    return Elements();
  double least = 0;
  double limit = std::ldexp(1, numBits(type));
  Elements wide = ops::cast(x, DataType::Float64);
  auto isOutside = [least, limit](double v) {
    double whole = std::trunc(v);
    return !(whole >= least && whole < limit);
  };
  if (auto where = ops::firstWhere<double>(wide, isOutside))
    return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                     " is out of range");
  return lowBits(ops::cast(wide, DataType::UInt64), type);
}

namespace onnxfold::upstream {
void registerArithFPToUI(KernelRegistry &registry) {
  registry.add("fptoui", {1}, foldArithFPToUI);
}
} // namespace onnxfold::upstream
