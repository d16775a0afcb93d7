//===- AvgPool2d.cpp - Constant kernel of tosa.avg_pool2d ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The mean of the elements that a window meets, without padding. Floats are summed in
// double and rounded once; integers are divided by a multiplication and a shift, as
// the specification has it, and saturate.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// How many elements each window meets: [1, h, w, 1], as i64.
static Elements countsOf(ShapeRef image, const Windows &windows) {
  Elements ones = Elements::splat<double>({1, image[1], image[2], 1}, 1);
  Elements view =
      viewOf(padded(ones, windows, Elements::splat<double>({}, 0)), windows);
  return toInt64(
      ops::reduce(view, {3, 4}, /*keepDims=*/false, ops::Reduction::Sum));
}

/// TOSA's reciprocal_scale: a multiplication and a shift for a division.
static int64_t meanOf(int64_t sum, int64_t count) {
  uint32_t value = uint32_t(count);
  int64_t shift = 32 - std::countl_zero(value - 1);
  int64_t multiplier = (((int64_t(1) << 30) + 1) << shift) / count;
  return applyScale(sum, multiplier, 30 + shift, /*doubleRound=*/false);
}

static FoldResult quantizedMean(FoldContext &cx, const Elements &sums,
                                const Elements &counts, DataType type) {
  ReasonOr<int64_t> zero = zeroPoint(cx, 2);
  if (!zero)
    return zero.reason();
  if (FoldResult fits = narrowed(sums, DataType::Int32); !fits)
    return fits;
  int64_t most = (int64_t(1) << (bitWidth(type) - 1)) - 1;
  Elements means = ops::zipAs<int64_t, int64_t, int64_t>(sums, counts, meanOf);
  Elements result = mapInt64(means, [most, zero = *zero](int64_t a) {
    return std::clamp(a + zero, -most - 1, most);
  });
  return ops::cast(result, type);
}

static FoldResult foldTosaAvgPool2d(FoldContext &cx) {
  DataType type = cx.resultType();
  ReasonOr<Elements> x = withoutZeroPoint(cx, 0, 1);
  if (!x)
    return x.reason();
  Shape kernel = cx.ints("kernel").value_or(Shape());
  ReasonOr<Windows> windows = windowsOf(cx, x->shape(), kernel);
  if (!windows)
    return windows.reason();
  DataType computed = isFloat(type) ? DataType::Float64 : DataType::Int64;
  Elements fill = Elements::splat(computed, {}, WideNum::widen(0.0));
  Elements view =
      viewOf(padded(ops::cast(*x, computed), *windows, fill), *windows);
  if (Reason much = cx.checkWork(double(view.size())))
    return much;
  Elements sums =
      ops::reduce(view, {3, 4}, /*keepDims=*/false, ops::Reduction::Sum);
  Elements counts = countsOf(x->shape(), *windows);
  if (ops::firstWhere<int64_t>(counts, [](int64_t n) { return n < 1; }))
    return invalid("a window meets nothing but padding");
  if (!isFloat(type))
    return quantizedMean(cx, sums, counts, type);
  return ops::cast(ops::zip(sums, ops::cast(counts, DataType::Float64),
                            [](auto a, auto b) { return decltype(a)(a / b); }),
                   type);
}

namespace onnxfold::upstream {
void registerTosaAvgPool2d(KernelRegistry &registry) {
  registry.add("avg_pool2d", {1}, foldTosaAvgPool2d);
}
} // namespace onnxfold::upstream
