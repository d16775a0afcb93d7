//===- Acos.cpp - Constant kernel of math.acos --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The arc cosine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAcos(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::acos);
}

namespace onnxfold::upstream {
void registerMathAcos(KernelRegistry &registry) {
  registry.add("acos", {1}, foldMathAcos);
}
} // namespace onnxfold::upstream
