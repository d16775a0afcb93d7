//===- ShRSI.cpp - Constant kernel of arith.shrsi -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Shifts to the right, filling up with the sign. By the width or more is
// poison, and with `exact` a bit that is lost.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithShRSI(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  auto isTooFar = [width](uint64_t, uint64_t by) { return by >= width; };
  if (Reason poison =
          refuseWhere<uint64_t>(cx, isTooFar, "is shifted by its width"))
    return poison;
  if (isExact(cx)) {
    auto loses = [](uint64_t a, uint64_t by) { return a >> by << by != a; };
    if (Reason poison = refuseWhere<uint64_t>(cx, loses, "loses a bit"))
      return poison;
  }
  return zipBits<int64_t>(cx, [](int64_t a, int64_t b) { return a >> b; });
}

namespace onnxfold::upstream {
void registerArithShRSI(KernelRegistry &registry) {
  registry.add("shrsi", {1}, foldArithShRSI);
}
} // namespace onnxfold::upstream
