//===- Rsqrt.cpp - Constant kernel of math.rsqrt ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1 / sqrt(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathRsqrt(FoldContext &cx) {
  return mapDoubles(cx, [](double *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
      values[i] = 1 / std::sqrt(values[i]);
  });
}

namespace onnxfold::upstream {
void registerMathRsqrt(KernelRegistry &registry) {
  registry.add("rsqrt", {1}, foldMathRsqrt);
}
} // namespace onnxfold::upstream
