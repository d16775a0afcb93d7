//===- Add.cpp - Constant kernel of tosa.add -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a + b. An overflow of integers is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaAdd(FoldContext &cx) {
  return tosaZip(cx, [](auto a, auto b) { return a + b; });
}

namespace onnxfold::upstream {
void registerTosaAdd(KernelRegistry &registry) {
  registry.add("add", {1}, foldTosaAdd);
}
} // namespace onnxfold::upstream
