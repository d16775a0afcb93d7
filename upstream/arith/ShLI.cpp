//===- ShLI.cpp - Constant kernel of arith.shli -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Shifts to the left. By the width or more is poison, and with nsw or nuw an
// overflow.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithShLI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  auto isTooFar = [width](uint64_t, uint64_t by) { return by >= width; };
  if (Reason poison =
          refuseWhere<uint64_t>(cx, isTooFar, "is shifted by its width"))
    return poison;
  auto exact = [](auto a, auto b, auto *r) {
    using T = decltype(a);
    *r = T(uint64_t(a) << uint64_t(b));
    return T(*r >> uint64_t(b)) != a;
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a << b; });
}

namespace onnxfold::upstream {
void registerArithShLI(KernelRegistry &registry) {
  registry.add("shli", {1}, foldArithShLI);
}
} // namespace onnxfold::upstream
