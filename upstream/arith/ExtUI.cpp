//===- ExtUI.cpp - Constant kernel of arith.extui -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To a wider integer, filled up with zeros.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithExtUI(FoldContext &cx) {
  return lowBits(widened<uint64_t>(cx.input(0)), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithExtUI(KernelRegistry &registry) {
  registry.add("extui", {1}, foldArithExtUI);
}
} // namespace onnxfold::upstream
