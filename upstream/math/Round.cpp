//===- Round.cpp - Constant kernel of math.round ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The nearest whole number; halves away from zero.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathRound(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::round(a)); });
}

namespace onnxfold::upstream {
void registerMathRound(KernelRegistry &registry) {
  registry.add("round", {1}, foldMathRound);
}
} // namespace onnxfold::upstream
