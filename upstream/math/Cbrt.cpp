//===- Cbrt.cpp - Constant kernel of math.cbrt --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The cube root, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCbrt(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::cbrt);
}

namespace onnxfold::upstream {
void registerMathCbrt(KernelRegistry &registry) {
  registry.add("cbrt", {1}, foldMathCbrt);
}
} // namespace onnxfold::upstream
