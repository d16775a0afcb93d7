//===- FPowI.cpp - Constant kernel of math.fpowi ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A float to the power of an integer. An exponent that a double does not hold
// is kept: its lowest bit decides the sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathFPowI(FoldContext &cx) {
  Elements exponent = widened<int64_t>(cx.input(1));
  if (!exponent)
    return Elements();
  constexpr int64_t limit = int64_t(1) << 53;
  auto isLarge = [](int64_t v) { return v < -limit || v > limit; };
  if (auto where = ops::firstWhere<int64_t>(exponent, isLarge))
    return notFolded(ReasonCode::UnsupportedType,
                     "exponent " +
                         toString(ops::indexOf(*where, exponent.shape())) +
                         " is larger than 2^53");
  const Elements &x = cx.input(0);
  return finished(cx, ops::zipWide(computable(x), exponent, ops::wide::pow));
}

namespace onnxfold::upstream {
void registerMathFPowI(KernelRegistry &registry) {
  registry.add("fpowi", {1}, foldMathFPowI);
}
} // namespace onnxfold::upstream
