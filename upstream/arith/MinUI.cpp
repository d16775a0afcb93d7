//===- MinUI.cpp - Constant kernel of arith.minui -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller of two numbers without a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMinUI(FoldContext &cx) {
  return zipBits<uint64_t>(
      cx, [](uint64_t a, uint64_t b) { return b < a ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMinUI(KernelRegistry &registry) {
  registry.add("minui", {1}, foldArithMinUI);
}
} // namespace onnxfold::upstream
