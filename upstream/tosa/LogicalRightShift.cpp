//===- LogicalRightShift.cpp - Constant kernel of tosa.logical_right_shift ===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x >> n with zeros from the left, where n is less than the width.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaLogicalRightShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  int64_t mask = (int64_t(1) << bitWidth(x.type())) - 1;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by),
      [mask](int64_t a, int64_t n) { return (a & mask) >> n; });
  return ops::cast(shifted, x.type());
}

namespace onnxfold::upstream {
void registerTosaLogicalRightShift(KernelRegistry &registry) {
  registry.add("logical_right_shift", {1}, foldTosaLogicalRightShift);
}
} // namespace onnxfold::upstream
