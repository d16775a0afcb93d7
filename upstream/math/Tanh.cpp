//===- Tanh.cpp - Constant kernel of math.tanh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic tangent, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathTanh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::tanh);
}

namespace onnxfold::upstream {
void registerMathTanh(KernelRegistry &registry) {
  registry.add("tanh", {1}, foldMathTanh);
}
} // namespace onnxfold::upstream
