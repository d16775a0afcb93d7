//===- Cosh.cpp - Constant kernel of math.cosh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic cosine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCosh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::cosh);
}

namespace onnxfold::upstream {
void registerMathCosh(KernelRegistry &registry) {
  registry.add("cosh", {1}, foldMathCosh);
}
} // namespace onnxfold::upstream
