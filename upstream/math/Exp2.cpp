//===- Exp2.cpp - Constant kernel of math.exp2 --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The power of two, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathExp2(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::exp2);
}

namespace onnxfold::upstream {
void registerMathExp2(KernelRegistry &registry) {
  registry.add("exp2", {1}, foldMathExp2);
}
} // namespace onnxfold::upstream
