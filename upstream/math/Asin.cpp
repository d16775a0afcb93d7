//===- Asin.cpp - Constant kernel of math.asin --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The arc sine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAsin(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::asin);
}

namespace onnxfold::upstream {
void registerMathAsin(KernelRegistry &registry) {
  registry.add("asin", {1}, foldMathAsin);
}
} // namespace onnxfold::upstream
