//===- MinimumF.cpp - Constant kernel of arith.minimumf -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller of two floats; NaN if either is, and -0 is less than +0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMinimumF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) {
    if (a == 0 && b == 0)
      return std::signbit(double(a)) ? a : b;
    return ops::minimum(a, b);
  });
}

namespace onnxfold::upstream {
void registerArithMinimumF(KernelRegistry &registry) {
  registry.add("minimumf", {1}, foldArithMinimumF);
}
} // namespace onnxfold::upstream
