//===- GreaterEqual.cpp - Constant kernel of tosa.greater_equal ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a >= b; false of NaN.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaGreaterEqual(FoldContext &cx) {
  return ops::zipTo<bool>(cx.input(0), cx.input(1),
                          [](auto a, auto b) { return a >= b; });
}

namespace onnxfold::upstream {
void registerTosaGreaterEqual(KernelRegistry &registry) {
  registry.add("greater_equal", {1}, foldTosaGreaterEqual);
}
} // namespace onnxfold::upstream
