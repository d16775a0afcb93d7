//===- Atan2.cpp - Constant kernel of math.atan2 ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The angle of the point (second operand, first operand), in (-pi, pi].
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAtan2(FoldContext &cx) {
  return zipDoubles(cx, ops::wide::atan2);
}

namespace onnxfold::upstream {
void registerMathAtan2(KernelRegistry &registry) {
  registry.add("atan2", {1}, foldMathAtan2);
}
} // namespace onnxfold::upstream
