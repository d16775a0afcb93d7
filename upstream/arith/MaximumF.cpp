//===- MaximumF.cpp - Constant kernel of arith.maximumf -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two floats; NaN if either is, and -0 is less than +0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMaximumF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) {
    if (a == 0 && b == 0)
      return std::signbit(double(a)) ? b : a;
    return ops::maximum(a, b);
  });
}

namespace onnxfold::upstream {
void registerArithMaximumF(KernelRegistry &registry) {
  registry.add("maximumf", {1}, foldArithMaximumF);
}
} // namespace onnxfold::upstream
