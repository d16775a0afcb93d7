//===- DivSI.cpp - Constant kernel of arith.divsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Quotients towards zero. A division by 0 or an overflow is undefined; with
// `exact` a remainder is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithDivSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  int64_t least = int64_t(~uint64_t(0) << (width - 1));
  auto isBad = [least](int64_t a, int64_t b) {
    return b == 0 || (b == -1 && a == least);
  };
  if (isExact(cx)) {
    auto isInexact = [isBad](int64_t a, int64_t b) {
      return !isBad(a, b) && a % b != 0;
    };
    if (Reason poison =
            refuseWhere<int64_t>(cx, isInexact, "is not a multiple"))
      return poison;
  }
  auto f = [](int64_t a, int64_t b) -> int64_t { return a / b; };
  return zipBitsUnless<int64_t>(cx, f, isBad, "divides by 0 or overflows");
}

namespace onnxfold::upstream {
void registerArithDivSI(KernelRegistry &registry) {
  registry.add("divsi", {1}, foldArithDivSI);
}
} // namespace onnxfold::upstream
