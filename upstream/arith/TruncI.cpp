//===- TruncI.cpp - Constant kernel of arith.trunci ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The low bits. With nsw or nuw it is poison to change the number.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithTruncI(FoldContext &cx) {
  const Elements &x = cx.input(0);
  unsigned width = numBits(cx.resultType());
  auto [nsw, nuw] = overflowFlagsOf(cx);
  auto changes = [width](auto a, auto) { return exceeds(false, a, width); };
  if (nsw)
    if (Reason poison = refuseWhere<int64_t>(x, x, changes, "overflows"))
      return poison;
  if (nuw)
    if (Reason poison = refuseWhere<uint64_t>(x, x, changes, "overflows"))
      return poison;
  return lowBits(widened<uint64_t>(x), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithTruncI(KernelRegistry &registry) {
  registry.add("trunci", {1}, foldArithTruncI);
}
} // namespace onnxfold::upstream
