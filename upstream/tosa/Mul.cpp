//===- Mul.cpp - Constant kernel of tosa.mul -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a * b. Products of i32 are shifted right, rounding half up; 8 and 16 bits give
// 32. An overflow is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaMul(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (isFloat(x.type()))
    return ops::zip(x, y, [](auto a, auto b) { return a * b; });
  if (!isSmallInteger(x.type()))
    return Elements();
  int64_t shift = cx.input(2).size() == 1 ? cx.intsOf(2)[0] : -1;
  if (shift < 0 || shift > 62 || (shift > 0 && x.type() != DataType::Int32))
    return invalid("the shift is " + llvm::Twine(shift));
  Elements products = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(y), [shift](int64_t a, int64_t b) {
        return shift == 0 ? a * b
                          : (a * b + (int64_t(1) << (shift - 1))) >> shift;
      });
  return narrowed(products, cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaMul(KernelRegistry &registry) {
  registry.add("mul", {1}, foldTosaMul);
}
} // namespace onnxfold::upstream
