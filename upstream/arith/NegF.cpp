//===- NegF.cpp - Constant kernel of arith.negf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Changes the sign, of NaN and zero too.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithNegF(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return ops::negate(a); });
}

namespace onnxfold::upstream {
void registerArithNegF(KernelRegistry &registry) {
  registry.add("negf", {1}, foldArithNegF);
}
} // namespace onnxfold::upstream
