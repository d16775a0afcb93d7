//===- Bits.cpp - Constant kernels of bit counts in math ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// How many bits of an integer are set, or zero at one of its ends.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The number of zeros above the highest bit that is set; the width for 0.
static FoldResult foldMathCountLeadingZeros(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  if (!x)
    return Elements();
  unsigned width = numBits(cx.input(0).type());
  auto f = [width](uint64_t a) {
    return uint64_t(width - (64 - std::countl_zero(a)));
  };
  return lowBits(ops::mapAs<uint64_t, uint64_t>(x, f), cx.input(0).type());
}

/// The number of zeros below the lowest bit that is set; the width for 0.
static FoldResult foldMathCountTrailingZeros(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  if (!x)
    return Elements();
  unsigned width = numBits(cx.input(0).type());
  auto f = [width](uint64_t a) {
    return uint64_t(a == 0 ? width : unsigned(std::countr_zero(a)));
  };
  return lowBits(ops::mapAs<uint64_t, uint64_t>(x, f), cx.input(0).type());
}

/// The number of bits that are set.
static FoldResult foldMathCtPop(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  if (!x)
    return Elements();
  auto f = [](uint64_t a) { return uint64_t(std::popcount(a)); };
  return lowBits(ops::mapAs<uint64_t, uint64_t>(x, f), cx.input(0).type());
}

namespace onnxfold::upstream {
void registerMathBits(KernelRegistry &registry) {
  registry.add("ctlz", {1}, foldMathCountLeadingZeros);
  registry.add("cttz", {1}, foldMathCountTrailingZeros);
  registry.add("ctpop", {1}, foldMathCtPop);
}
} // namespace onnxfold::upstream
