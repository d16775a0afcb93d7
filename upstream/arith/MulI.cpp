//===- MulI.cpp - Constant kernel of arith.muli -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products modulo 2^width. With nsw or nuw an overflow is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMulI(FoldContext &cx) {
  auto exact = [](auto a, auto b, auto *r) {
    return __builtin_mul_overflow(a, b, r);
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a * b; });
}

namespace onnxfold::upstream {
void registerArithMulI(KernelRegistry &registry) {
  registry.add("muli", {1}, foldArithMulI);
}
} // namespace onnxfold::upstream
