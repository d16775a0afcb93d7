//===- Conv.cpp - Lowering of onnx.Conv ----------------------------------===//
//
// conv2d of DML, of one or two dimensions: groups in a loop, dilated kernels filled
// up with zeros, asymmetric pads before.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/dml/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The kernels with zeros between their values.
static Elements dilated(const Elements &kernel, const Windows &windows) {
  int64_t h = windows.h.kernel, w = windows.w.kernel,
          count = kernel.size() / (h * w);
  int64_t height = windows.h.extent(), width = windows.w.extent();
  std::vector<double> from = kernel.values<double>(),
                      to(count * height * width);
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = 0; i < h; ++i)
      for (int64_t j = 0; j < w; ++j)
        to[(k * height + i * windows.h.dilation) * width +
           j * windows.w.dilation] = from[(k * h + i) * w + j];
  return Elements::fromValues<double>({int64_t(to.size())}, to);
}

static Lowered lowerConv(LoweringContext &cx) {
  Windows windows;
  Lowered checked = windowsOf(
      cx,
      Shape(cx.input(1).dims.begin() + std::min<int64_t>(2, cx.input(1).rank()),
            cx.input(1).dims.end()),
      windows);
  if (!checked.isDone())
    return checked;
  const Shape &w = cx.input(1).dims;
  int64_t groups = cx.op().getInt("group", 1), channels = cx.input(0).dims[1];
  Expr kernel = cx.matrix(1);
  if (windows.h.dilation != 1 || windows.w.dilation != 1) {
    if (!cx.constant(1))
      return Lowered::refused("the dilated kernel is no constant");
    kernel = cx.constantMatrix(
        "dilated", dilated(asDoubles(cx.constant(1)), windows), w[0],
        w[1] * windows.h.extent() * windows.w.extent());
  }
  View image = windows.padded(cx, 0);
  Size n = sizeOf(llvm::ArrayRef<int64_t>(cx.input(0).dims).take_front());
  Size columns{w[0] * windows.h.out * windows.w.out};
  Expr y;
  if (groups == 1)
    y = call("conv2d",
             windows.arguments({image.expr, kernel}, cx.expr(n), channels,
                               {"filter_shape",
                                Expr::list({w[0], channels, windows.h.extent(),
                                            windows.w.extent()})}));
  else
    y = cx.helper("conv2d_grouped",
                  {image.expr, kernel, groups, channels / groups,
                   windows.h.padded, windows.w.padded, w[0] / groups,
                   windows.h.extent(), windows.w.extent(), windows.h.stride,
                   windows.w.stride, windows.h.builtin, windows.w.builtin,
                   windows.h.out * windows.w.out});
  if (cx.hasInput(2)) {
    // Of one row of pixels too: its channels are columns.
    y = call("bias_add", {cx.local("convolved", y), call("t", {cx.matrix(2)})});
  }
  cx.define(0, View{y, n, columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConvLowering(LoweringRegistry &registry) {
  registry.add("Conv", {1, 11, 22}, lowerConv);
}
} // namespace onnxfold::dml
