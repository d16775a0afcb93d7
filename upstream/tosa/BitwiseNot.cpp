//===- BitwiseNot.cpp - Constant kernel of tosa.bitwise_not --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = ~x, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaBitwiseNot(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (!isSmallInteger(x.type()))
    return Elements();
  return ops::cast(mapInt64(x, [](int64_t a) { return ~a; }), x.type());
}

namespace onnxfold::upstream {
void registerTosaBitwiseNot(KernelRegistry &registry) {
  registry.add("bitwise_not", {1}, foldTosaBitwiseNot);
}
} // namespace onnxfold::upstream
