//===- PowF.cpp - Constant kernel of math.powf --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A float to the power of a float.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathPowF(FoldContext &cx) {
  return zipDoubles(cx, ops::wide::pow);
}

namespace onnxfold::upstream {
void registerMathPowF(KernelRegistry &registry) {
  registry.add("powf", {1}, foldMathPowF);
}
} // namespace onnxfold::upstream
