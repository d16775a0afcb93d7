//===- AveragePool.cpp - Lowering of onnx.AveragePool --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// avg_pool of DML divides by the size of the window; where fewer values count, the
// result is scaled up. Dilated windows and those of three dimensions are sums,
// divided by what counts.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/PoolingLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// How many values each window of an image averages.
static std::vector<double> countsOf(const Windows &windows, bool withPads) {
  std::vector<double> counts{1};
  for (const WindowAxis &axis : windows.axes) {
    std::vector<double> more;
    for (double count : counts)
      for (int64_t i = 0; i < axis.out; ++i)
        more.push_back(count * double(axis.counted(i, withPads)));
    counts = std::move(more);
  }
  return counts;
}

static Lowered lowerAveragePool(LoweringContext &cx) {
  Windows windows;
  if (Lowered checked = poolingOf(cx, windows); !checked.isDone())
    return checked;
  int64_t places = windows.places();
  std::vector<double> counts =
      countsOf(windows, cx.op().getInt("count_include_pad", 0) != 0);
  double divided = 1;
  if (windows.isBuiltin())
    for (const WindowAxis &axis : windows.axes)
      divided *= double(axis.kernel);
  View y = windows.isBuiltin()
               ? pooledByBuiltin(cx, "avg_pool", windows, 0)
               : reducedByAxis(cx, "sum_windows", imagesOf(cx, 0), windows, 0);
  for (double &count : counts)
    count = divided / count;
  if (llvm::any_of(counts, [](double f) { return f != 1; })) {
    Size channels =
        sizeOf(llvm::ArrayRef<int64_t>(cx.input(0).dims).take_front(2));
    View rows = cx.reshape(cx.local("averages", y), channels, {places});
    y = {rows.expr *
             cx.constantMatrix("factors",
                               Elements::fromValues<double>({places}, counts),
                               1, places),
         rows.rows, rows.columns};
  }
  cx.define(0, y);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerAveragePoolLowering(LoweringRegistry &registry) {
  registry.add("AveragePool", {1, 7, 10, 11, 19, 22}, lowerAveragePool);
}
} // namespace onnxfold::dml
