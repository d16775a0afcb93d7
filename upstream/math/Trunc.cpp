//===- Trunc.cpp - Constant kernel of math.trunc ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The whole number towards zero.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathTrunc(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::trunc(a)); });
}

namespace onnxfold::upstream {
void registerMathTrunc(KernelRegistry &registry) {
  registry.add("trunc", {1}, foldMathTrunc);
}
} // namespace onnxfold::upstream
