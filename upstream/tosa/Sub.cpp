//===- Sub.cpp - Constant kernel of tosa.sub -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a - b. An overflow of integers is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaSub(FoldContext &cx) {
  return tosaZip(cx, [](auto a, auto b) { return a - b; });
}

namespace onnxfold::upstream {
void registerTosaSub(KernelRegistry &registry) {
  registry.add("sub", {1}, foldTosaSub);
}
} // namespace onnxfold::upstream
