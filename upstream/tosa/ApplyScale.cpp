//===- ApplyScale.cpp - Constant kernel of tosa.apply_scale --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// value * multiplier >> shift, rounded: what rescale does to one element, as
// MLIR's lowerings to linalg write it. A negative multiplier, a shift outside of
// 2 to 62, a result that does not fit and INEXACT_ROUND are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// A reason if an element of an input is not from `least` to `most`.
static Reason checkRange(FoldContext &cx, unsigned input, int64_t least,
                         int64_t most) {
  const Elements &x = cx.input(input);
  Elements wide = toInt64(x);
  auto bad = ops::firstWhere<int64_t>(
      wide, [=](int64_t v) { return v < least || v > most; });
  if (!bad)
    return {};
  return undefined("element " + toString(ops::indexOf(*bad, x.shape())) +
                   " of input #" + llvm::Twine(input) + " is " +
                   llvm::Twine(wide.value<int64_t>(*bad)) + ", expected " +
                   llvm::Twine(least) + " to " + llvm::Twine(most));
}

static FoldResult foldTosaApplyScale(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ApplyScaleOp>(cx.operation());
  bool doubleRound =
      op.getRoundingMode() == mlir::tosa::RoundingMode::DOUBLE_ROUND;
  if (op.getRoundingMode() == mlir::tosa::RoundingMode::INEXACT_ROUND)
    return undefined("its rounding mode leaves the result open");
  for (unsigned i = 0; i < 3; ++i)
    if (!isSmallInteger(cx.input(i).type()))
      return Elements();
  constexpr int64_t largest = INT32_MAX;
  if (Reason no = checkRange(cx, 1, 0, largest))
    return no;
  if (Reason no = checkRange(cx, 2, 2, 62))
    return no;
  Elements scaled = Elements::apply(
      ops::detail::makeStep<int64_t, int64_t, int64_t, int64_t>(
          [doubleRound](int64_t value, int64_t multiplier, int64_t shift) {
            return applyScale(value, multiplier, shift, doubleRound);
          }),
      cx.input(0).shape(),
      {toInt64(cx.input(0)), toInt64(cx.input(1)), toInt64(cx.input(2))});
  return narrowed(scaled, cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaApplyScale(KernelRegistry &registry) {
  registry.add("apply_scale", {1}, foldTosaApplyScale);
}
} // namespace onnxfold::upstream
