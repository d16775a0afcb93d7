//===- MaxPool2d.cpp - Constant kernel of tosa.max_pool2d ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element that a window meets, without padding; of zeros +0 is the larger.
// NaN as `nan_mode` says; with IGNORE a window of NaNs alone is kept: NaN is what
// is left of them, and MLIR's lowering gives the lowest finite number.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "onnxfold/upstream/support/TosaWindows.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

template <class T>
static Elements maximaOf(const Elements &x, const Windows &windows,
                         bool ignoresNan) {
  using Limits = std::numeric_limits<T>;
  T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  if (ignoresNan && Limits::has_quiet_NaN)
    least = Limits::quiet_NaN();
  Elements view =
      viewOf(padded(x, windows, Elements::splat<T>({}, least)), windows);
  return ops::reduceWith<T>(
      view, {3, 4}, /*keepDims=*/false, least, [ignoresNan](T a, T b) {
        return tosaExtreme(a, b, /*wantsLarger=*/true, ignoresNan);
      });
}

/// A window is NaN under IGNORE only if all of it is.
static FoldResult unlessOnlyNan(const Elements &y, bool ignoresNan) {
  if (!ignoresNan)
    return y;
  auto isNan = [](double v) { return std::isnan(v); };
  if (auto where =
          ops::firstWhere<double>(ops::cast(y, DataType::Float64), isNan))
    return undefined("the window of element " +
                     toString(ops::indexOf(*where, y.shape())) +
                     " has NaNs alone");
  return y;
}

static FoldResult foldTosaMaxPool2d(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MaxPool2dOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  const Elements &x = cx.input(0);
  DataType type = x.type();
  Shape kernel = cx.ints("kernel").value_or(Shape());
  ReasonOr<Windows> windows = windowsOf(cx, x.shape(), kernel);
  if (!windows)
    return windows.reason();
  if (Reason much = cx.checkWork(double(x.dim(0)) * double(x.dim(3)) *
                                 double(numElements(windows->positions)) *
                                 double(numElements(kernel))))
    return much;
  if (isSmallInteger(type))
    return ops::cast(maximaOf<int64_t>(toInt64(x), *windows, false), type);
  if (type == DataType::Float64)
    return unlessOnlyNan(maximaOf<double>(x, *windows, ignoresNan), ignoresNan);
  if (!isFloat(type))
    return Elements();
  Elements narrow = ops::cast(x, DataType::Float32);
  Elements maxima = maximaOf<float>(narrow, *windows, ignoresNan);
  return unlessOnlyNan(ops::cast(maxima, type), ignoresNan);
}

namespace onnxfold::upstream {
void registerTosaMaxPool2d(KernelRegistry &registry) {
  registry.add("max_pool2d", {1}, foldTosaMaxPool2d);
}
} // namespace onnxfold::upstream
