//===- FloorDivSI.cpp - Constant kernel of arith.floordivsi -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients towards negative infinity.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithFloorDivSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  auto f = [](int64_t a, int64_t b) -> int64_t {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

namespace onnxfold::upstream {
void registerArithFloorDivSI(KernelRegistry &registry) {
  registry.add("floordivsi", {1}, foldArithFloorDivSI);
}
} // namespace onnxfold::upstream
