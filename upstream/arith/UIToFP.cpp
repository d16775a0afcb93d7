//===- UIToFP.cpp - Constant kernel of arith.uitofp ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers without a sign as floats, rounded once to nearest even.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithUIToFP(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  return x ? rounded(x, cx.resultType()) : Elements();
}

namespace onnxfold::upstream {
void registerArithUIToFP(KernelRegistry &registry) {
  registry.add("uitofp", {1}, foldArithUIToFP);
}
} // namespace onnxfold::upstream
