//===- Cos.cpp - Constant kernel of tosa.cos -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = cos(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaCos(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::cos);
}

namespace onnxfold::upstream {
void registerTosaCos(KernelRegistry &registry) {
  registry.add("cos", {1}, foldTosaCos);
}
} // namespace onnxfold::upstream
