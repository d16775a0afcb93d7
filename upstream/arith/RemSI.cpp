//===- RemSI.cpp - Constant kernel of arith.remsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Remainders with the sign of the dividend; undefined where the quotient is.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithRemSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  auto f = [](int64_t a, int64_t b) -> int64_t { return a % b; };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

namespace onnxfold::upstream {
void registerArithRemSI(KernelRegistry &registry) {
  registry.add("remsi", {1}, foldArithRemSI);
}
} // namespace onnxfold::upstream
