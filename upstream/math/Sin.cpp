//===- Sin.cpp - Constant kernel of math.sin ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathSin(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::sin);
}

namespace onnxfold::upstream {
void registerMathSin(KernelRegistry &registry) {
  registry.add("sin", {1}, foldMathSin);
}
} // namespace onnxfold::upstream
