//===- ConvolutionLowering.cpp - Convolutions in DML ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/ConvolutionLowering.h"
#include "onnxfold/dml/support/Text.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Shape dml::kernelShape(LoweringContext &cx, unsigned input) {
  llvm::ArrayRef<int64_t> dims(cx.input(input).dims);
  return Shape(dims.drop_front(std::min<size_t>(2, dims.size())));
}

Lowered dml::convolutionOf(LoweringContext &cx, unsigned weights,
                           Windows &windows) {
  Lowered checked = windowsOf(cx, kernelShape(cx, weights), windows);
  if (checked.isDone() && windows.axes.size() > 3)
    return Lowered::refused("more than three dimensions");
  return checked;
}

/// Three rows of size, kernel, stride, dilation and size of the result.
static Expr geometry(LoweringContext &cx, const Windows &windows,
                     llvm::ArrayRef<int64_t> sizes) {
  Shape numbers;
  for (size_t i = windows.axes.size(); i < 3; ++i)
    numbers.append({1, 1, 1, 1, 1});
  for (auto [axis, size] : llvm::zip(windows.axes, sizes))
    numbers.append({size, axis.kernel, axis.stride, axis.dilation, axis.out});
  return cx.local("geometry", matrixText(numbers, 3));
}

/// A helper for one group, or that for several.
static Expr callForGroups(LoweringContext &cx, llvm::StringRef ofOne,
                          llvm::StringRef ofSeveral,
                          std::vector<Argument> operands, int64_t groups,
                          int64_t channels, int64_t filters) {
  if (groups != 1)
    operands.push_back(groups);
  operands.push_back(channels);
  operands.push_back(filters);
  return cx.helper(groups == 1 ? ofOne : ofSeveral, operands);
}

/// conv2d_grouped; the pads are made before.
static View convolvedInGroups(LoweringContext &cx, const Moved &images,
                              const Moved &kernels, int64_t groups,
                              const Windows &windows) {
  int64_t channels = images.dims[1] / groups, filters = kernels.dims[0];
  bool isRow = windows.axes.size() == 1;
  const WindowAxis one, &h = isRow ? one : windows.axes[0],
                        &w = windows.axes.back();
  Moved padded = padImages(cx, images, windows, 0);
  llvm::ArrayRef<int64_t> dims(padded.dims);
  Size n = sizeOf(dims.take_front());
  Expr y = cx.helper("conv2d_grouped",
                     {cx.splitAt(padded.view, dims, 1).expr, kernels.view.expr,
                      groups, channels, isRow ? 1 : dims[2], dims.back(),
                      filters / groups, h.kernel, w.kernel, h.stride, w.stride,
                      0, 0, windows.places()});
  return {y, n, {filters * windows.places()}};
}

View dml::convolved(LoweringContext &cx, const Moved &images,
                    const Moved &kernels, int64_t groups,
                    const Windows &windows) {
  int64_t channels = images.dims[1], filters = kernels.dims[0];
  if (windows.isBuiltin() && groups != 1)
    return convolvedInGroups(cx, images, kernels, groups, windows);
  if (windows.isBuiltin()) {
    int64_t height = windows.axes.size() == 1 ? 1 : windows.axes[0].kernel;
    Expr shape =
        Expr::list({filters, channels, height, windows.axes.back().kernel});
    return callOnWindows(cx, "conv2d", images, windows, {kernels.view.expr},
                         {"filter_shape", shape}, filters, 0);
  }
  Moved padded = padImages(cx, images, windows, 0);
  llvm::ArrayRef<int64_t> dims(padded.dims);
  Expr y =
      callForGroups(cx, "conv_places", "conv_places_grouped",
                    {cx.splitAt(padded.view, dims, 1).expr, kernels.view.expr,
                     geometry(cx, windows, dims.drop_front(2))},
                    groups, channels / groups, filters / groups);
  return {y, sizeOf(dims.take_front()), {filters * windows.places()}};
}

View dml::convolvedTransposed(LoweringContext &cx, const Moved &images,
                              const Moved &kernels, int64_t groups,
                              const Windows &windows) {
  llvm::ArrayRef<int64_t> dims(images.dims);
  int64_t filters = kernels.dims[1];
  Expr y = callForGroups(cx, "conv_transposed", "conv_transposed_grouped",
                         {images.view.expr, kernels.view.expr,
                          geometry(cx, windows, dims.drop_front(2))},
                         groups, dims[1] / groups, filters);
  return {y, sizeOf(dims.take_front()), {groups * filters * windows.places()}};
}

View dml::withBias(LoweringContext &cx, View images, unsigned input) {
  // Of one row of pixels too: its channels are columns.
  if (cx.hasInput(input))
    images.expr = call("bias_add", {cx.local("convolved", images.expr),
                                    call("t", {cx.matrix(input)})});
  return images;
}
