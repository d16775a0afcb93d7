//===- AddUIExtended.cpp - Constant kernel of arith.addui_extended ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums modulo 2^width, and whether they overflow.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithAddUIExtended(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  Elements y = widened<uint64_t>(cx.input(1));
  if (!x || !y)
    return Elements();
  unsigned width = numBits(cx.input(0).type());
  Elements sum = ops::zipAs<uint64_t, uint64_t, uint64_t>(
      x, y, [](uint64_t a, uint64_t b) { return a + b; });
  Elements overflow = ops::zipAs<bool, uint64_t, uint64_t>(
      x, y, [width](uint64_t a, uint64_t b) {
        uint64_t r = 0;
        bool overflowed = __builtin_add_overflow(a, b, &r);
        return exceeds(overflowed, r, width);
      });
  return llvm::SmallVector<Elements, 1>{lowBits(sum, cx.input(0).type()),
                                        overflow};
}

namespace onnxfold::upstream {
void registerArithAddUIExtended(KernelRegistry &registry) {
  registry.add("addui_extended", {1}, foldArithAddUIExtended);
}
} // namespace onnxfold::upstream
