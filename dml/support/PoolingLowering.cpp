//===- PoolingLowering.cpp - What pooling operators share -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/PoolingLowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Lowered dml::poolingOf(LoweringContext &cx, Windows &windows) {
  Lowered checked =
      windowsOf(cx, Shape(*cx.op().getInts("kernel_shape")), windows);
  if (checked.isDone() && windows.hasEmptyWindow())
    return Lowered::refused("a window lies outside of the image");
  return checked;
}

View dml::pooledByBuiltin(LoweringContext &cx, llvm::StringRef function,
                          const Windows &windows, double padding) {
  const WindowAxis &width = windows.axes.back();
  int64_t height = windows.axes.size() == 1 ? 1 : windows.axes[0].kernel;
  return callOnWindows(cx, function, imagesOf(cx, 0), windows, {},
                       {"pool_size", Expr::list({height, width.kernel})},
                       cx.input(0).dims[1], padding);
}

/// An integer, but in version 1.
static double exponentOf(LoweringContext &cx) {
  if (cx.op().since() == 1)
    return cx.op().getFloat("p", 2.0f);
  return double(cx.op().getInt("p", 2));
}

Expr dml::powerOfNorm(LoweringContext &cx, Expr x) {
  double p = exponentOf(cx);
  return p == 2   ? power(x, 2)
         : p == 1 ? call("abs", {x})
                  : power(call("abs", {x}), p);
}

Expr dml::rootOfNorm(LoweringContext &cx, Expr sums) {
  double p = exponentOf(cx);
  return p == 2 ? call("sqrt", {sums}) : p == 1 ? sums : power(sums, 1 / p);
}
