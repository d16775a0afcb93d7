//===- ArithmeticRightShift.cpp - Constant kernel of tosa.arithmetic_right_shift ===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x >> n with the sign from the left, where n is less than the width; with
// `round` half of the last place is added first.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaArithmeticRightShift(FoldContext &cx) {
  const Elements &x = cx.input(0), &by = cx.input(1);
  if (!isSmallInteger(x.type()))
    return Elements();
  if (Reason wrong = checkShifts(x, by))
    return wrong;
  bool rounds = cx.integer("round").value_or(0) != 0;
  Elements shifted = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(by), [rounds](int64_t a, int64_t n) {
        int64_t half = rounds && n > 0 ? a >> (n - 1) & 1 : 0;
        return (a >> n) + half;
      });
  return ops::cast(shifted, x.type());
}

namespace onnxfold::upstream {
void registerTosaArithmeticRightShift(KernelRegistry &registry) {
  registry.add("arithmetic_right_shift", {1}, foldTosaArithmeticRightShift);
}
} // namespace onnxfold::upstream
