//===- Tanh.cpp - Constant kernel of tosa.tanh ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = tanh(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaTanh(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::tanh);
}

namespace onnxfold::upstream {
void registerTosaTanh(KernelRegistry &registry) {
  registry.add("tanh", {1}, foldTosaTanh);
}
} // namespace onnxfold::upstream
