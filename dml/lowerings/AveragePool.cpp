//===- AveragePool.cpp - Lowering of onnx.AveragePool --------------------===//
//
// avg_pool of DML divides by the size of the window; where fewer values count, the
// result is scaled up.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerAveragePool(LoweringContext &cx) {
  Windows windows;
  Lowered checked =
      windowsOf(cx, Shape(*cx.op().getInts("kernel_shape")), windows);
  if (!checked.isDone())
    return checked;
  if (windows.h.dilation != 1 || windows.w.dilation != 1)
    return Lowered::refused("dilated windows are not there yet");
  View image = windows.padded(cx, 0);
  int64_t channels = cx.input(0).dims[1],
          places = windows.h.out * windows.w.out;
  Size n = sizeOf(llvm::ArrayRef<int64_t>(cx.input(0).dims).take_front());
  View y{call("avg_pool",
              windows.arguments({image.expr}, cx.expr(n), channels,
                                {"pool_size", Expr::list({windows.h.kernel,
                                                          windows.w.kernel})})),
         n,
         {channels * places}};
  std::vector<double> factors;
  bool pads = cx.op().getInt("count_include_pad", 0) != 0;
  for (int64_t i = 0; i < windows.h.out; ++i)
    for (int64_t j = 0; j < windows.w.out; ++j)
      factors.push_back(
          double(windows.h.kernel * windows.w.kernel) /
          double(windows.h.counted(i, pads) * windows.w.counted(j, pads)));
  if (llvm::any_of(factors, [](double f) { return f != 1; })) {
    y = cx.local("averages", y);
    View rows = cx.reshape(y, {n.count * channels, n.perBatch}, {places});
    y = {rows.expr *
             cx.constantMatrix("factors",
                               Elements::fromValues<double>({places}, factors),
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
