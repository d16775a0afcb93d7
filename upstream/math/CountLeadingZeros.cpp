//===- CountLeadingZeros.cpp - Constant kernel of math.ctlz -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of zeros above the highest bit that is set; the width for 0.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

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

namespace onnxfold::upstream {
void registerMathCountLeadingZeros(KernelRegistry &registry) {
  registry.add("ctlz", {1}, foldMathCountLeadingZeros);
}
} // namespace onnxfold::upstream
