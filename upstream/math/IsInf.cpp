//===- IsInf.cpp - Constant kernel of math.isinf ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Either infinity.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathIsInf(FoldContext &cx) {
  return askFloats(cx, [](auto a) { return std::isinf(double(a)); });
}

namespace onnxfold::upstream {
void registerMathIsInf(KernelRegistry &registry) {
  registry.add("isinf", {1}, foldMathIsInf);
}
} // namespace onnxfold::upstream
