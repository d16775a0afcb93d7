//===- Sinh.cpp - Constant kernel of math.sinh --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hyperbolic sine, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathSinh(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::sinh);
}

namespace onnxfold::upstream {
void registerMathSinh(KernelRegistry &registry) {
  registry.add("sinh", {1}, foldMathSinh);
}
} // namespace onnxfold::upstream
