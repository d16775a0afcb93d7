//===- MinSI.cpp - Constant kernel of arith.minsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller of two numbers with a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMinSI(FoldContext &cx) {
  return zipBits<int64_t>(cx,
                          [](int64_t a, int64_t b) { return b < a ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMinSI(KernelRegistry &registry) {
  registry.add("minsi", {1}, foldArithMinSI);
}
} // namespace onnxfold::upstream
