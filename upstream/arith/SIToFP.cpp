//===- SIToFP.cpp - Constant kernel of arith.sitofp ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers with a sign as floats, rounded once to nearest even.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithSIToFP(FoldContext &cx) {
  Elements x = widened<int64_t>(cx.input(0));
  return x ? rounded(x, cx.resultType()) : Elements();
}

namespace onnxfold::upstream {
void registerArithSIToFP(KernelRegistry &registry) {
  registry.add("sitofp", {1}, foldArithSIToFP);
}
} // namespace onnxfold::upstream
