//===- AbsI.cpp - Constant kernel of math.absi --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The absolute value of a number with a sign; the smallest wraps to itself.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathAbsI(FoldContext &cx) {
  Elements x = widened<int64_t>(cx.input(0));
  if (!x)
    return Elements();
  return lowBits(ops::mapAs<int64_t, int64_t>(
                     x, [](int64_t a) { return ops::absolute(a); }),
                 cx.input(0).type());
}

namespace onnxfold::upstream {
void registerMathAbsI(KernelRegistry &registry) {
  registry.add("absi", {1}, foldMathAbsI);
}
} // namespace onnxfold::upstream
