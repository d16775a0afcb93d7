//===- MaxPool.cpp - Lowering of onnx.MaxPool ----------------------------===//
//
// max_pool of DML, of one or two dimensions; pads are -infinity.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Windows.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerMaxPool(LoweringContext &cx) {
  Windows windows;
  windows.padding = -std::numeric_limits<double>::infinity();
  Lowered checked =
      windowsOf(cx, Shape(*cx.op().getInts("kernel_shape")), windows);
  if (!checked.isDone())
    return checked;
  if (windows.h.dilation != 1 || windows.w.dilation != 1)
    return Lowered::refused("dilated windows are not there yet");
  if (cx.isUsed(1))
    return Lowered::refused("the indices are used");
  View image = windows.padded(cx, 0);
  int64_t channels = cx.input(0).dims[1];
  Size n = sizeOf(llvm::ArrayRef<int64_t>(cx.input(0).dims).take_front());
  Expr y = call(
      "max_pool",
      windows.arguments(
          {image.expr}, cx.expr(n), channels,
          {"pool_size", Expr::list({windows.h.kernel, windows.w.kernel})}));
  cx.define(0, View{y, n, {channels * windows.h.out * windows.w.out}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMaxPoolLowering(LoweringRegistry &registry) {
  registry.add("MaxPool", {1, 8, 10, 11, 12, 22}, lowerMaxPool);
}
} // namespace onnxfold::dml
