//===- LogicalLeftShift.cpp - Constant kernel of tosa.logical_left_shift -===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x << n, where n is less than the width; bits that leave are lost.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalLeftShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by),
      [](int64_t a, int64_t n) { return int64_t(uint64_t(a) << n); });
  return ops::cast(shifted, x.type());
}

namespace onnxfold::upstream {
void registerTosaLogicalLeftShift(KernelRegistry &registry) {
  registry.add("logical_left_shift", {1}, foldTosaLogicalLeftShift);
}
} // namespace onnxfold::upstream
