//===- IsFinite.cpp - Constant kernel of math.isfinite ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Neither infinite nor NaN.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathIsFinite(FoldContext &cx) {
  return askFloats(cx, [](auto a) { return std::isfinite(double(a)); });
}

namespace onnxfold::upstream {
void registerMathIsFinite(KernelRegistry &registry) {
  registry.add("isfinite", {1}, foldMathIsFinite);
}
} // namespace onnxfold::upstream
