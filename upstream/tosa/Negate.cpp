//===- Negate.cpp - Constant kernel of tosa.negate -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = -(x - input zero point) + output zero point; integers saturate, and the first
// difference must fit 32 bits.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaNegate(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = x.type();
  if (isFloat(type))
    return ops::mapFloat(x, [](auto a) { return -a; });
  if (!isSmallInteger(type))
    return Elements();
  ReasonOr<int64_t> from = zeroPoint(cx, 1), to = zeroPoint(cx, 2);
  if (!from || !to)
    return from ? to.reason() : from.reason();
  Elements negated =
      mapInt64(x, [from = *from](int64_t a) { return from - a; });
  Elements sums = mapInt64(negated, [to = *to](int64_t a) { return a + to; });
  for (const Elements &step : {negated, sums})
    if (FoldResult fits = narrowed(step, DataType::Int32); !fits)
      return fits;
  int64_t most = (int64_t(1) << (bitWidth(type) - 1)) - 1;
  return ops::cast(
      mapInt64(sums,
               [most](int64_t a) { return std::clamp(a, -most - 1, most); }),
      type);
}

namespace onnxfold::upstream {
void registerTosaNegate(KernelRegistry &registry) {
  registry.add("negate", {1}, foldTosaNegate);
}
} // namespace onnxfold::upstream
