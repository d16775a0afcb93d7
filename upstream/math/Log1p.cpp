//===- Log1p.cpp - Constant kernel of math.log1p ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The natural logarithm of 1 + x, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathLog1p(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::log1p);
}

namespace onnxfold::upstream {
void registerMathLog1p(KernelRegistry &registry) {
  registry.add("log1p", {1}, foldMathLog1p);
}
} // namespace onnxfold::upstream
