//===- Sqrt.cpp - Constant kernel of math.sqrt --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The square root, correctly rounded.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathSqrt(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::sqrt(a)); });
}

namespace onnxfold::upstream {
void registerMathSqrt(KernelRegistry &registry) {
  registry.add("sqrt", {1}, foldMathSqrt);
}
} // namespace onnxfold::upstream
