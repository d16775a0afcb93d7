//===- Asinh.cpp - Constant kernel of math.asinh ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic sine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAsinh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::asinh);
}

namespace onnxfold::upstream {
void registerMathAsinh(KernelRegistry &registry) {
  registry.add("asinh", {1}, foldMathAsinh);
}
} // namespace onnxfold::upstream
