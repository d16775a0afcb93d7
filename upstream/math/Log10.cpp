//===- Log10.cpp - Constant kernel of math.log10 ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The decimal logarithm, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathLog10(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::log10);
}

namespace onnxfold::upstream {
void registerMathLog10(KernelRegistry &registry) {
  registry.add("log10", {1}, foldMathLog10);
}
} // namespace onnxfold::upstream
