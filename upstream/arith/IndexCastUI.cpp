//===- IndexCastUI.cpp - Constant kernel of arith.index_castui ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Between integers and `index`, of 64 bits: extended with zeros, or cut.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithIndexCastUI(FoldContext &cx) {
  return lowBits(widened<uint64_t>(cx.input(0)), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithIndexCastUI(KernelRegistry &registry) {
  registry.add("index_castui", {1}, foldArithIndexCastUI);
}
} // namespace onnxfold::upstream
