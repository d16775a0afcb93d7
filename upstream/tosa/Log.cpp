//===- Log.cpp - Constant kernel of tosa.log -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = log(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLog(FoldContext &cx) {
  return ops::mapWide(cx.input(0), ops::wide::log);
}

namespace onnxfold::upstream {
void registerTosaLog(KernelRegistry &registry) {
  registry.add("log", {1}, foldTosaLog);
}
} // namespace onnxfold::upstream
