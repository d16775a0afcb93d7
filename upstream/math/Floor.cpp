//===- Floor.cpp - Constant kernel of math.floor ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The next whole number below.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathFloor(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::floor(a)); });
}

namespace onnxfold::upstream {
void registerMathFloor(KernelRegistry &registry) {
  registry.add("floor", {1}, foldMathFloor);
}
} // namespace onnxfold::upstream
