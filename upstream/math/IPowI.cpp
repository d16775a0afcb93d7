//===- IPowI.cpp - Constant kernel of math.ipowi ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers to the power of integers, modulo 2^width. Of a negative exponent
// what is whole is left: 0, or 1 and -1 of these; of 0 it is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static int64_t powerOf(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t power = base, result = 1;
  for (uint64_t left = exponent; left != 0; left >>= 1) {
    if (left & 1)
      result *= power;
    power *= power;
  }
  return result;
}

static FoldResult foldMathIPowI(FoldContext &cx) {
  auto isBad = [](int64_t a, int64_t b) { return a == 0 && b < 0; };
  return zipBitsUnless<int64_t>(cx, powerOf, isBad, "divides by 0");
}

namespace onnxfold::upstream {
void registerMathIPowI(KernelRegistry &registry) {
  registry.add("ipowi", {1}, foldMathIPowI);
}
} // namespace onnxfold::upstream
