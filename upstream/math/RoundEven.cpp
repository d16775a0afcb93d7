//===- RoundEven.cpp - Constant kernel of math.roundeven ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The nearest whole number; halves to the even one.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathRoundEven(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::nearbyint(a)); });
}

namespace onnxfold::upstream {
void registerMathRoundEven(KernelRegistry &registry) {
  registry.add("roundeven", {1}, foldMathRoundEven);
}
} // namespace onnxfold::upstream
