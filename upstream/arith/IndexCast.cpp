//===- IndexCast.cpp - Constant kernel of arith.index_cast --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Between integers and `index`, of 64 bits: extended with the sign, or cut.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithIndexCast(FoldContext &cx) {
  return lowBits(widened<int64_t>(cx.input(0)), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithIndexCast(KernelRegistry &registry) {
  registry.add("index_cast", {1}, foldArithIndexCast);
}
} // namespace onnxfold::upstream
