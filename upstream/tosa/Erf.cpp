//===- Erf.cpp - Constant kernel of tosa.erf -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = erf(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaErf(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::erf);
}

namespace onnxfold::upstream {
void registerTosaErf(KernelRegistry &registry) {
  registry.add("erf", {1}, foldTosaErf);
}
} // namespace onnxfold::upstream
