//===- IsNaN.cpp - Constant kernel of math.isnan ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// NaN.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathIsNaN(FoldContext &cx) {
  return askFloats(cx, [](auto a) { return std::isnan(double(a)); });
}

namespace onnxfold::upstream {
void registerMathIsNaN(KernelRegistry &registry) {
  registry.add("isnan", {1}, foldMathIsNaN);
}
} // namespace onnxfold::upstream
