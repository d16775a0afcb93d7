//===- Exp.cpp - Constant kernel of tosa.exp -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = exp(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaExp(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::exp);
}

namespace onnxfold::upstream {
void registerTosaExp(KernelRegistry &registry) {
  registry.add("exp", {1}, foldTosaExp);
}
} // namespace onnxfold::upstream
