//===- Log2.cpp - Constant kernel of math.log2 --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The binary logarithm, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathLog2(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::log2);
}

namespace onnxfold::upstream {
void registerMathLog2(KernelRegistry &registry) {
  registry.add("log2", {1}, foldMathLog2);
}
} // namespace onnxfold::upstream
