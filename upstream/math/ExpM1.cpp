//===- ExpM1.cpp - Constant kernel of math.expm1 ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The exponential function less 1, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathExpM1(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::expm1);
}

namespace onnxfold::upstream {
void registerMathExpM1(KernelRegistry &registry) {
  registry.add("expm1", {1}, foldMathExpM1);
}
} // namespace onnxfold::upstream
