//===- ExtSI.cpp - Constant kernel of arith.extsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To a wider integer, filled up with the sign: a true becomes -1.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithExtSI(FoldContext &cx) {
  return lowBits(widened<int64_t>(cx.input(0)), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithExtSI(KernelRegistry &registry) {
  registry.add("extsi", {1}, foldArithExtSI);
}
} // namespace onnxfold::upstream
