//===- Pow.cpp - Constant kernel of tosa.pow -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a to the power of b, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaPow(FoldContext &cx) {
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::zipWide(cx.input(0), cx.input(1), ops::wide::pow);
}

namespace onnxfold::upstream {
void registerTosaPow(KernelRegistry &registry) {
  registry.add("pow", {1}, foldTosaPow);
}
} // namespace onnxfold::upstream
