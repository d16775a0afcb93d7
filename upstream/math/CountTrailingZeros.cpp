//===- CountTrailingZeros.cpp - Constant kernel of math.cttz ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of zeros below the lowest bit that is set; the width for 0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

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

namespace onnxfold::upstream {
void registerMathCountTrailingZeros(KernelRegistry &registry) {
  registry.add("cttz", {1}, foldMathCountTrailingZeros);
}
} // namespace onnxfold::upstream
