//===- FPToSI.cpp - Constant kernel of arith.fptosi ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Floats cut to numbers with a sign. Out of range, and NaN, is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithFPToSI(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.resultType();
  if (!isFloat(x.type()) || !isSignless(type))
    return Elements();
  double least = -std::ldexp(1, numBits(type) - 1);
  double limit = -least;
  Elements wide = ops::cast(x, DataType::Float64);
  auto isOutside = [least, limit](double v) {
    double whole = std::trunc(v);
    return !(whole >= least && whole < limit);
  };
  if (auto where = ops::firstWhere<double>(wide, isOutside))
    return undefined("element " + toString(ops::indexOf(*where, x.shape())) +
                     " is out of range");
  return lowBits(ops::cast(wide, DataType::Int64), type);
}

namespace onnxfold::upstream {
void registerArithFPToSI(KernelRegistry &registry) {
  registry.add("fptosi", {1}, foldArithFPToSI);
}
} // namespace onnxfold::upstream
