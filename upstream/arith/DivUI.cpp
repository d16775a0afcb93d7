//===- DivUI.cpp - Constant kernel of arith.divui -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients of numbers without a sign. A division by 0 is undefined; with
// `exact` a remainder is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithDivUI(FoldContext &cx) {
  auto isBad = [](uint64_t, uint64_t b) { return b == 0; };
  if (isExact(cx)) {
    auto isInexact = [isBad](uint64_t a, uint64_t b) {
      return !isBad(a, b) && a % b != 0;
    };
    if (Reason poison =
            refuseWhere<uint64_t>(cx, isInexact, "is not a multiple"))
      return poison;
  }
  auto f = [](uint64_t a, uint64_t b) -> uint64_t { return a / b; };
  return zipBitsUnless<uint64_t>(cx, f, isBad, "divides by 0");
}

namespace onnxfold::upstream {
void registerArithDivUI(KernelRegistry &registry) {
  registry.add("divui", {1}, foldArithDivUI);
}
} // namespace onnxfold::upstream
