//===- RemUI.cpp - Constant kernel of arith.remui -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Remainders of numbers without a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithRemUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  auto f = [](uint64_t a, uint64_t b) -> uint64_t { return a % b; };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

namespace onnxfold::upstream {
void registerArithRemUI(KernelRegistry &registry) {
  registry.add("remui", {1}, foldArithRemUI);
}
} // namespace onnxfold::upstream
