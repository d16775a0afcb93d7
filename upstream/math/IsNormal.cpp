//===- IsNormal.cpp - Constant kernel of math.isnormal ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Finite, and neither zero nor subnormal in its own type.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathIsNormal(FoldContext &cx) {
  double least = smallestNormal(cx.input(0).type());
  return askFloats(cx, [least](auto a) {
    double size = std::fabs(double(a));
    return size >= least && std::isfinite(size);
  });
}

namespace onnxfold::upstream {
void registerMathIsNormal(KernelRegistry &registry) {
  registry.add("isnormal", {1}, foldMathIsNormal);
}
} // namespace onnxfold::upstream
