//===- Floor.cpp - Constant kernel of tosa.floor -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = floor(x).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaFloor(FoldContext &cx) {
  return ops::mapFloat(cx.input(0), [](auto a) { return std::floor(a); });
}

namespace onnxfold::upstream {
void registerTosaFloor(KernelRegistry &registry) {
  registry.add("floor", {1}, foldTosaFloor);
}
} // namespace onnxfold::upstream
