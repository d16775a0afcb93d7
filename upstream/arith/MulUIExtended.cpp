//===- MulUIExtended.cpp - Constant kernel of arith.mului_extended ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The low and the high half of the products of numbers without a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMulUIExtended(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0)),
           y = widened<uint64_t>(cx.input(1));
  if (!x || !y)
    return Elements();
  DataType type = cx.input(0).type();
  unsigned width = numBits(type);
  Elements low = ops::zipAs<uint64_t, uint64_t, uint64_t>(
      x, y, [](uint64_t a, uint64_t b) {
        return uint64_t(uint64_t(a) * uint64_t(b));
      });
  Elements high = ops::zipAs<uint64_t, uint64_t, uint64_t>(
      x, y, [width](uint64_t a, uint64_t b) {
        return uint64_t(UInt128(a) * b >> width);
      });
  return llvm::SmallVector<Elements, 1>{lowBits(low, type),
                                        lowBits(high, type)};
}

namespace onnxfold::upstream {
void registerArithMulUIExtended(KernelRegistry &registry) {
  registry.add("mului_extended", {1}, foldArithMulUIExtended);
}
} // namespace onnxfold::upstream
