//===- Sigmoid.cpp - Constant kernel of tosa.sigmoid ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = sigmoid(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaSigmoid(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::sigmoid);
}

namespace onnxfold::upstream {
void registerTosaSigmoid(KernelRegistry &registry) {
  registry.add("sigmoid", {1}, foldTosaSigmoid);
}
} // namespace onnxfold::upstream
