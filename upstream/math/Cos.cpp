//===- Cos.cpp - Constant kernel of math.cos ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The cosine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCos(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::cos);
}

namespace onnxfold::upstream {
void registerMathCos(KernelRegistry &registry) {
  registry.add("cos", {1}, foldMathCos);
}
} // namespace onnxfold::upstream
