//===- Atanh.cpp - Constant kernel of math.atanh ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inverse hyperbolic tangent, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAtanh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::atanh);
}

namespace onnxfold::upstream {
void registerMathAtanh(KernelRegistry &registry) {
  registry.add("atanh", {1}, foldMathAtanh);
}
} // namespace onnxfold::upstream
