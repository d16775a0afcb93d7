//===- Sin.cpp - Constant kernel of tosa.sin -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sin(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaSin(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::sin);
}

namespace onnxfold::upstream {
void registerTosaSin(KernelRegistry &registry) {
  registry.add("sin", {1}, foldTosaSin);
}
} // namespace onnxfold::upstream
