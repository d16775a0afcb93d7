//===- AbsF.cpp - Constant kernel of math.absf --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The absolute value; of -0 it is +0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAbsF(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(ops::absolute(a)); });
}

namespace onnxfold::upstream {
void registerMathAbsF(KernelRegistry &registry) {
  registry.add("absf", {1}, foldMathAbsF);
}
} // namespace onnxfold::upstream
