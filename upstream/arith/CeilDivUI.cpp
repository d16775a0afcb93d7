//===- CeilDivUI.cpp - Constant kernel of arith.ceildivui ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients of numbers without a sign, rounded up.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithCeilDivUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  auto f = [](uint64_t a, uint64_t b) -> uint64_t {
    return a / b + (a % b != 0);
  };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

namespace onnxfold::upstream {
void registerArithCeilDivUI(KernelRegistry &registry) {
  registry.add("ceildivui", {1}, foldArithCeilDivUI);
}
} // namespace onnxfold::upstream
