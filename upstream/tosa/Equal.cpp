//===- Equal.cpp - Constant kernel of tosa.equal -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a == b; false of NaN.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaEqual(FoldContext &cx) {
  return ops::zipTo<bool>(cx.input(0), cx.input(1),
                          [](auto a, auto b) { return a == b; });
}

namespace onnxfold::upstream {
void registerTosaEqual(KernelRegistry &registry) {
  registry.add("equal", {1}, foldTosaEqual);
}
} // namespace onnxfold::upstream
