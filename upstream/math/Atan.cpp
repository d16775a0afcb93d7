//===- Atan.cpp - Constant kernel of math.atan --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The arc tangent, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAtan(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::atan);
}

namespace onnxfold::upstream {
void registerMathAtan(KernelRegistry &registry) {
  registry.add("atan", {1}, foldMathAtan);
}
} // namespace onnxfold::upstream
