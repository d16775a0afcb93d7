//===- Windows.cpp - Windows of convolutions and pooling ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::dml;

int64_t WindowAxis::counted(int64_t i, bool withPads) const {
  int64_t low = withPads ? -begin : 0, high = withPads ? in + end : in, n = 0;
  for (int64_t k = 0; k < kernel; ++k) {
    int64_t at = i * stride - begin + k * dilation;
    n += at >= low && at < high;
  }
  return n;
}

bool Windows::isBuiltin() const {
  return axes.size() <= 2 &&
         llvm::all_of(axes, [](const auto &a) { return a.dilation == 1; });
}

int64_t Windows::places() const {
  int64_t count = 1;
  for (const WindowAxis &axis : axes)
    count *= axis.out;
  return count;
}

bool Windows::hasEmptyWindow() const {
  for (const WindowAxis &axis : axes)
    for (int64_t i = 0; i < axis.out; ++i)
      if (axis.counted(i, false) == 0)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static int64_t entry(const std::optional<llvm::SmallVector<int64_t>> &list,
                     size_t i, int64_t byDefault) {
  return list && i < list->size() ? (*list)[i] : byDefault;
}

/// SAME pads so that there are in / stride windows, rounded up.
static void setAutoPads(WindowAxis &axis, llvm::StringRef mode) {
  if (!mode.starts_with("SAME"))
    return;
  int64_t total = std::max<int64_t>(0, (axis.out - 1) * axis.stride +
                                           axis.extent() - axis.in);
  axis.begin = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
  axis.end = total - axis.begin;
}

Lowered dml::windowsOf(LoweringContext &cx, const Shape &kernel,
                       Windows &windows) {
  const Shape &in = cx.input(0).dims, &out = cx.result().dims;
  if (in.size() < 3 || out.size() != in.size() ||
      kernel.size() != in.size() - 2)
    return Lowered::refused("the input has no spatial dimensions");
  Operator op = cx.op();
  auto strides = op.getInts("strides"), dilations = op.getInts("dilations"),
       pads = op.getInts("pads");
  llvm::StringRef mode = op.getString("auto_pad", "NOTSET");
  size_t count = in.size() - 2;
  for (size_t i = 0; i < count; ++i) {
    WindowAxis axis;
    axis.in = in[i + 2];
    axis.out = out[i + 2];
    axis.kernel = kernel[i];
    axis.stride = entry(strides, i, 1);
    axis.dilation = entry(dilations, i, 1);
    if (mode == "NOTSET") {
      axis.begin = entry(pads, i, 0);
      axis.end = entry(pads, i + count, 0);
    }
    setAutoPads(axis, mode);
    if (axis.begin < 0 || axis.end < 0)
      return Lowered::refused("a pad is negative");
    windows.axes.push_back(axis);
  }
  return Lowered::done();
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

Moved dml::imagesOf(LoweringContext &cx, unsigned input) {
  return {cx.natural(input), cx.input(input).dims};
}

Shape dml::resultDims(const Shape &images, const Windows &windows,
                      int64_t channels) {
  Shape dims{images[0], channels};
  for (const WindowAxis &axis : windows.axes)
    dims.push_back(axis.out);
  return dims;
}

Moved dml::padAxis(LoweringContext &cx, const Moved &tensor, int64_t axis,
                   int64_t before, int64_t after, double value) {
  Moved result{
      paddedAlong(cx, tensor.view, tensor.dims, axis, before, after, value),
      tensor.dims};
  result.dims[axis] += before + after;
  return result;
}

Moved dml::padImages(LoweringContext &cx, Moved images, const Windows &windows,
                     double value) {
  for (size_t i = windows.axes.size(); i-- > 0;)
    images = padAxis(cx, images, i + 2, windows.axes[i].begin,
                     windows.axes[i].after(), value);
  return images;
}

/// Of one row, if there is one dimension only.
static Expr heightAndWidth(llvm::ArrayRef<int64_t> sizes, int64_t ofOneRow) {
  return Expr::list({sizes.size() == 1 ? ofOneRow : sizes[0], sizes.back()});
}

View dml::callOnWindows(LoweringContext &cx, llvm::StringRef function,
                        Moved images, const Windows &windows,
                        llvm::ArrayRef<Expr> operands, Argument shape,
                        int64_t channels, double padding) {
  Shape pads, strides;
  for (auto [i, axis] : llvm::enumerate(windows.axes)) {
    int64_t room = axis.in + 2 * axis.begin - axis.extent();
    bool isSame = room >= 0 && room / axis.stride + 1 == axis.out;
    pads.push_back(isSame ? axis.begin : 0);
    strides.push_back(axis.stride);
    if (!isSame)
      images = padAxis(cx, images, i + 2, axis.begin, axis.after(), padding);
  }
  const Shape &dims = images.dims;
  llvm::ArrayRef<int64_t> all(dims);
  Size n = sizeOf(all.take_front());
  int64_t rows = dims.size() == 3 ? 1 : dims[2];
  std::vector<Argument> arguments{cx.splitAt(images.view, dims, 1).expr};
  arguments.insert(arguments.end(), operands.begin(), operands.end());
  arguments.push_back(
      {"input_shape", Expr::list({cx.expr(n), dims[1], rows, dims.back()})});
  arguments.push_back(std::move(shape));
  arguments.push_back({"stride", heightAndWidth(strides, 1)});
  arguments.push_back({"padding", heightAndWidth(pads, 0)});
  return {call(function, arguments), n, {channels * windows.places()}};
}

View dml::reducedByAxis(LoweringContext &cx, llvm::StringRef helper,
                        const Moved &images, const Windows &windows,
                        double padding) {
  Moved now = padImages(cx, images, windows, padding);
  for (size_t i = windows.axes.size(); i-- > 0;) {
    const WindowAxis &axis = windows.axes[i];
    int64_t size = now.dims[i + 2];
    if (axis.kernel == 1 && axis.stride == 1)
      continue;
    llvm::ArrayRef<int64_t> dims(now.dims);
    Size outer = sizeOf(dims.take_front(i + 2)),
         inner = sizeOf(dims.drop_front(i + 3));
    Expr reduced =
        cx.helper(helper, {now.view.expr, cx.expr(outer), size, cx.expr(inner),
                           axis.kernel, axis.stride, axis.dilation, axis.out});
    now.view =
        cx.local("windows", View{reduced, outer, {axis.out * inner.count}});
    now.dims[i + 2] = axis.out;
  }
  return now.view;
}
