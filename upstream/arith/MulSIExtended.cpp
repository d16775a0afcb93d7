//===- MulSIExtended.cpp - Constant kernel of arith.mulsi_extended ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The low and the high half of the products of numbers with a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMulSIExtended(FoldContext &cx) {
  Elements x = widened<int64_t>(cx.input(0)), y = widened<int64_t>(cx.input(1));
  if (!x || !y)
    return Elements();
  DataType type = cx.input(0).type();
  unsigned width = numBits(type);
  Elements low =
      ops::zipAs<int64_t, int64_t, int64_t>(x, y, [](int64_t a, int64_t b) {
        return int64_t(uint64_t(a) * uint64_t(b));
      });
  Elements high = ops::zipAs<int64_t, int64_t, int64_t>(
      x, y, [width](int64_t a, int64_t b) {
        return int64_t(Int128(a) * b >> width);
      });
  return llvm::SmallVector<Elements, 1>{lowBits(low, type),
                                        lowBits(high, type)};
}

namespace onnxfold::upstream {
void registerArithMulSIExtended(KernelRegistry &registry) {
  registry.add("mulsi_extended", {1}, foldArithMulSIExtended);
}
} // namespace onnxfold::upstream
