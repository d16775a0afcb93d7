//===- Erf.cpp - Constant kernel of math.erf ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The error function, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathErf(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::erf);
}

namespace onnxfold::upstream {
void registerMathErf(KernelRegistry &registry) {
  registry.add("erf", {1}, foldMathErf);
}
} // namespace onnxfold::upstream
