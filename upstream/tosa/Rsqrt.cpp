//===- Rsqrt.cpp - Constant kernel of tosa.rsqrt -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = 1 / sqrt(x), computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static void reciprocalRoot(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = 1 / std::sqrt(values[i]);
}

static FoldResult foldTosaRsqrt(FoldContext &cx) {
  return ops::mapWide(cx.input(0), reciprocalRoot);
}

namespace onnxfold::upstream {
void registerTosaRsqrt(KernelRegistry &registry) {
  registry.add("rsqrt", {1}, foldTosaRsqrt);
}
} // namespace onnxfold::upstream
