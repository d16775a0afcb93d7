//===- CopySign.cpp - Constant kernel of math.copysign ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The absolute value of the first with the sign of the second.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCopySign(FoldContext &cx) {
  return zipFloats(
      cx, [](auto a, auto b) { return decltype(a)(std::copysign(a, b)); });
}

namespace onnxfold::upstream {
void registerMathCopySign(KernelRegistry &registry) {
  registry.add("copysign", {1}, foldMathCopySign);
}
} // namespace onnxfold::upstream
