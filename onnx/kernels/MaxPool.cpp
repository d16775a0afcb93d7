//===- MaxPool.cpp - Constant kernel of onnx.MaxPool ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element that each window meets, and (from version 8) its index in
// x, counted along rows or, with storage_order 1, along columns. Spec: onnx
// MaxPool, versions 1, 8, 10 (ceil_mode, dilations), 11, 12 (8-bit integers),
// 22. Of equal elements the first one counts. A window of nothing but padding
// has no element, and where a NaN stands decides in runtimes: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Row-major indices in x as indices in x with the spatial dimensions of each
/// channel in column-major order.
static Elements columnMajor(const Elements &indices, ShapeRef image) {
  int64_t size = numElements(image);
  Shape reversed(llvm::reverse(image)), perm;
  for (size_t d = image.size(); d-- > 0;)
    perm.push_back(d);
  Elements numbers = iota({size}, 0);
  Elements table = numbers.reshape(reversed).transpose(perm).reshape({size});
  Elements places =
      mapAs<int64_t, int64_t>(indices, [size](int64_t i) { return i % size; });
  return zipAs<int64_t, int64_t, int64_t>(
      indices, gather(table, places, 0),
      [size](int64_t i, int64_t place) { return i / size * size + place; });
}

static FoldResult foldMaxPool(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<SlidingWindows> windows = readWindows(cx, x);
  if (!windows)
    return windows.reason();
  const SlidingWindows &w = *windows;
  Shape shape = imageShape(x.dim(0), x.dim(1), w.positions);
  if (auto limit = checkWindows(cx, DataType::Int64, shape, w, 1))
    return limit;
  if (x.size() != 0 && w.hasEmptyWindow(/*withPads=*/false))
    return undefined("a window meets nothing but padding");
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  Elements indices = windowMaxima(x.isWide() ? x.unrounded() : x, w);
  if (!indices)
    return Elements();
  Elements maxima = gather(x.reshape({x.size()}), indices, 0);
  if (cx.integer("storage_order").value_or(0) != 0)
    indices = columnMajor(indices, w.image);
  return llvm::SmallVector<Elements, 1>{maxima, indices};
}

namespace onnxfold {
void registerMaxPool(KernelRegistry &registry) {
  registry.add("MaxPool", {1, 8, 10, 11, 12, 22}, foldMaxPool);
}
} // namespace onnxfold
