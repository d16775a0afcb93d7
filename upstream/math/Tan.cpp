//===- Tan.cpp - Constant kernel of math.tan ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The tangent, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathTan(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::tan);
}

namespace onnxfold::upstream {
void registerMathTan(KernelRegistry &registry) {
  registry.add("tan", {1}, foldMathTan);
}
} // namespace onnxfold::upstream
