//===- Intdiv.cpp - Constant kernel of tosa.intdiv -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = a / b, truncated towards zero. Division by 0 and overflow are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaIntdiv(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (!isInteger(x.type()))
    return Elements();
  auto isBad = [](int64_t, int64_t b) { return b == 0; };
  Elements bad =
      ops::zipAs<bool, int64_t, int64_t>(toInt64(x), toInt64(y), isBad);
  if (auto where = ops::firstWhere<bool>(bad, [](bool is) { return is; }))
    return undefined("element " + toString(ops::indexOf(*where, bad.shape())) +
                     " divides by 0");
  // In 64 bits the smallest number over -1 is its own negation, as it wraps.
  Elements overflows = ops::zipAs<bool, int64_t, int64_t>(
      toInt64(x), toInt64(y),
      [](int64_t a, int64_t b) { return ops::divisionUndefined(a, b); });
  if (auto where = ops::firstWhere<bool>(overflows, [](bool is) { return is; }))
    return undefined("element " +
                     toString(ops::indexOf(*where, overflows.shape())) +
                     " overflows");
  Elements quotients = ops::zipAs<int64_t, int64_t, int64_t>(
      toInt64(x), toInt64(y), [](int64_t a, int64_t b) { return a / b; });
  return narrowed(quotients, x.type());
}

namespace onnxfold::upstream {
void registerTosaIntdiv(KernelRegistry &registry) {
  registry.add("intdiv", {1}, foldTosaIntdiv);
}
} // namespace onnxfold::upstream
