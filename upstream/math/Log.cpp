//===- Log.cpp - Constant kernel of math.log ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The natural logarithm, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathLog(FoldContext &cx) {
  return mapDoubles(cx, ops::wide::log);
}

namespace onnxfold::upstream {
void registerMathLog(KernelRegistry &registry) {
  registry.add("log", {1}, foldMathLog);
}
} // namespace onnxfold::upstream
