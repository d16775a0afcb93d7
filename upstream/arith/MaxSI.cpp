//===- MaxSI.cpp - Constant kernel of arith.maxsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two numbers with a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMaxSI(FoldContext &cx) {
  return zipBits<int64_t>(cx,
                          [](int64_t a, int64_t b) { return a < b ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMaxSI(KernelRegistry &registry) {
  registry.add("maxsi", {1}, foldArithMaxSI);
}
} // namespace onnxfold::upstream
