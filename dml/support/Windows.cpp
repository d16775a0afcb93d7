//===- Windows.cpp - Windows of convolutions and pooling ------------------===//

#include "onnxfold/dml/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::dml;

void WindowAxis::choosePads() {
  if ((in + 2 * begin - extent()) / stride + 1 == out &&
      in + 2 * begin >= extent()) {
    builtin = begin;
  } else {
    before = begin;
    after = std::max<int64_t>(0, (out - 1) * stride + extent() - in - begin);
  }
  padded = in + before + after;
}

int64_t WindowAxis::counted(int64_t i, bool withPads) const {
  int64_t first = i * stride - begin, last = first + kernel;
  if (withPads)
    return std::min(last, in + end) - first;
  return std::min(last, in) - std::max<int64_t>(first, 0);
}

View Windows::padded(LoweringContext &cx, unsigned input) const {
  View view = cx.natural(input);
  const Shape &dims = cx.input(input).dims;
  Size images = sizeOf(llvm::ArrayRef<int64_t>(dims).take_front(2));
  auto pad = [&](const WindowAxis &axis, Size rows, int64_t width) {
    if (axis.before + axis.after == 0)
      return;
    std::vector<Argument> parts;
    Size columns{axis.padded * width};
    if (axis.before != 0)
      parts.push_back(cx.filled(padding, rows, {axis.before * width}));
    parts.push_back(cx.reshape(view, rows, {axis.in * width}).expr);
    if (axis.after != 0)
      parts.push_back(cx.filled(padding, rows, {axis.after * width}));
    view = cx.local("padded", View{call("cbind", parts), rows, columns});
  };
  pad(w, {images.count * h.in, images.perBatch}, 1);
  pad(h, images, w.padded);
  return cx.reshape(view, sizeOf(llvm::ArrayRef<int64_t>(dims).take_front(1)),
                    {dims[1] * h.padded * w.padded});
}

std::vector<Argument> Windows::arguments(std::vector<Argument> first,
                                         Expr images, int64_t channels,
                                         Argument shape) const {
  first.push_back(
      {"input_shape", Expr::list({images, channels, h.padded, w.padded})});
  first.push_back(std::move(shape));
  first.push_back({"stride", Expr::list({h.stride, w.stride})});
  first.push_back({"padding", Expr::list({h.builtin, w.builtin})});
  return first;
}

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
  if (in.size() != 3 && in.size() != 4)
    return Lowered::refused("only one and two dimensions are there yet");
  Operator op = cx.op();
  auto strides = op.getInts("strides"), dilations = op.getInts("dilations"),
       pads = op.getInts("pads");
  llvm::StringRef mode = op.getString("auto_pad", "NOTSET");
  size_t count = in.size() - 2;
  for (size_t i = 0; i < count; ++i) {
    WindowAxis &axis = count == 1 || i == 1 ? windows.w : windows.h;
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
    axis.choosePads();
    for (int64_t k = 0; k < axis.out; ++k)
      if (axis.counted(k, false) <= 0 && axis.dilation == 1)
        return Lowered::refused("a window lies outside of the image");
  }
  return Lowered::done();
}
