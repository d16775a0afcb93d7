//===- Acosh.cpp - Constant kernel of math.acosh ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic cosine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAcosh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::acosh);
}

namespace onnxfold::upstream {
void registerMathAcosh(KernelRegistry &registry) {
  registry.add("acosh", {1}, foldMathAcosh);
}
} // namespace onnxfold::upstream
