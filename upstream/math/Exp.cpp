//===- Exp.cpp - Constant kernel of math.exp ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The exponential function, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathExp(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::exp);
}

namespace onnxfold::upstream {
void registerMathExp(KernelRegistry &registry) {
  registry.add("exp", {1}, foldMathExp);
}
} // namespace onnxfold::upstream
