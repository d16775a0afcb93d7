//===- Abs.cpp - Constant kernel of tosa.abs -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = |x|. That of the smallest integer is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaAbs(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (isFloat(x.type()))
    return ops::mapFloat(x, [](auto a) { return std::fabs(a); });
  if (!isSmallInteger(x.type()))
    return Elements();
  return narrowed(mapInt64(x, [](int64_t a) { return a < 0 ? -a : a; }),
                  x.type());
}

namespace onnxfold::upstream {
void registerTosaAbs(KernelRegistry &registry) {
  registry.add("abs", {1}, foldTosaAbs);
}
} // namespace onnxfold::upstream
