//===- Erfc.cpp - Constant kernel of math.erfc --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The complementary error function, 1 - erf(x), computed in double and rounded
// once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathErfc(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::erfc);
}

namespace onnxfold::upstream {
void registerMathErfc(KernelRegistry &registry) {
  registry.add("erfc", {1}, foldMathErfc);
}
} // namespace onnxfold::upstream
