//===- Shifts.cpp - Constant kernels of shifts in arith -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A shift by the width or more is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Shifts to the left. By the width or more is poison, and with nsw or nuw an
/// overflow.
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

/// Poison of a shift to the right: by the width or more, and with `exact` a
/// bit that is lost.
static Reason checkShiftRight(FoldContext &cx) {
  unsigned width = numBits(cx.input(0).type());
  auto isTooFar = [width](uint64_t, uint64_t by) { return by >= width; };
  Reason poison =
      refuseWhere<uint64_t>(cx, isTooFar, "is shifted by its width");
  if (poison || !isExact(cx))
    return poison;
  auto loses = [](uint64_t a, uint64_t by) { return a >> by << by != a; };
  return refuseWhere<uint64_t>(cx, loses, "loses a bit");
}

/// Fills up with the sign.
static FoldResult foldArithShRSI(FoldContext &cx) {
  if (Reason poison = checkShiftRight(cx))
    return poison;
  return zipBits<int64_t>(cx, [](int64_t a, int64_t b) { return a >> b; });
}

/// Fills up with zeros.
static FoldResult foldArithShRUI(FoldContext &cx) {
  if (Reason poison = checkShiftRight(cx))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a >> b; });
}

namespace onnxfold::upstream {
void registerArithShifts(KernelRegistry &registry) {
  registry.add("shli", {1}, foldArithShLI);
  registry.add("shrsi", {1}, foldArithShRSI);
  registry.add("shrui", {1}, foldArithShRUI);
}
} // namespace onnxfold::upstream
