//===- SymbolicWindows.cpp - Sizes of convolved images --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/SymbolicShapeRules.h"
#include "onnxfold/onnx/ir/DisputedSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

namespace {

/// The window along one axis.
struct Window {
  int64_t kernel, stride, dilation, before, after, extra; // output_padding

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  bool isSane() const {
    constexpr int64_t most = int64_t(1) << 24;
    auto fits = [](int64_t v, int64_t least) {
      return v >= least && v <= most;
    };
    return fits(kernel, 1) && fits(stride, 1) && fits(dilation, 1) &&
           fits(before, -most) && fits(after, -most) && fits(extra, 0);
  }
};

enum class Padding { Given, Same, Other };

} // namespace

static Padding paddingOf(Operator op) {
  llvm::StringRef mode = op.getString("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode == "VALID")
    return Padding::Given;
  return mode.starts_with("SAME") ? Padding::Same : Padding::Other;
}

/// The last dimensions of the weights, or the attribute.
static std::optional<llvm::SmallVector<int64_t>>
kernelOf(Operator op, const ValueState *weights, size_t axes,
         const DimExprs &exprs) {
  auto given = op.getInts("kernel_shape");
  if (given || !weights)
    return given;
  if (!weights->shape || weights->shape->size() != axes + 2)
    return std::nullopt;
  llvm::SmallVector<int64_t> sizes;
  for (DimExpr d : llvm::drop_begin(*weights->shape, 2)) {
    std::optional<int64_t> size = exprs.valueOf(d);
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

static std::optional<llvm::SmallVector<Window>>
windowsOf(Operator op, const ValueState *weights, size_t axes,
          const DimExprs &exprs) {
  auto kernel = kernelOf(op, weights, axes, exprs);
  auto list = [&](llvm::StringRef name, size_t length, int64_t byDefault) {
    return op.getInts(name).value_or(
        llvm::SmallVector<int64_t>(length, byDefault));
  };
  auto strides = list("strides", axes, 1),
       dilations = list("dilations", axes, 1), pads = list("pads", 2 * axes, 0),
       extra = list("output_padding", axes, 0);
  if (op.getString("auto_pad", "NOTSET") == "VALID")
    pads.assign(2 * axes, 0);
  if (!kernel || kernel->size() != axes || strides.size() != axes ||
      dilations.size() != axes || pads.size() != 2 * axes ||
      extra.size() != axes)
    return std::nullopt;
  llvm::SmallVector<Window> windows;
  for (size_t i = 0; i < axes; ++i) {
    windows.push_back({(*kernel)[i], strides[i], dilations[i], pads[i],
                       pads[axes + i], extra[i]});
    if (!windows.back().isSane())
      return std::nullopt;
  }
  return windows;
}

/// Places for the window, or (`transposed`) what its places cover.
static DimExpr sizeAfter(DimExpr size, const Window &window, Padding padding,
                         bool transposed, DimExprs &s) {
  auto number = [&](int64_t value) { return s.constant(value); };
  if (transposed) {
    int64_t rest = window.extra + window.reach() - window.before -
                   window.after - window.stride;
    return s.add(s.multiply(size, number(window.stride)), number(rest));
  }
  if (padding == Padding::Same)
    return s.divideDown(s.add(size, number(window.stride - 1)), window.stride);
  int64_t room = window.before + window.after - window.reach();
  return s.add(s.divideDown(s.add(size, number(room)), window.stride),
               number(1));
}

std::optional<llvm::SmallVector<DimExpr, 4>>
onnxfold::windowShape(Operator op, llvm::ArrayRef<const ValueState *> operands,
                      DimExprs &exprs) {
  bool pools = op.is("MaxPool") || op.is("AveragePool") || op.is("LpPool");
  bool transposed = op.is("ConvTranspose");
  bool convolves = op.is("Conv") || op.is("ConvInteger") || transposed;
  bool quantized = op.is("QLinearConv");
  if ((!pools && !convolves && !quantized) || operands.empty() ||
      !operands[0]->shape || operands[0]->shape->size() < 3 ||
      op.getInt("ceil_mode", 0) != 0 || op.has("output_shape"))
    return std::nullopt;
  llvm::SmallVector<DimExpr, 4> result(*operands[0]->shape);
  size_t axes = result.size() - 2, place = quantized ? 3 : 1;
  const ValueState *weights =
      !pools && place < operands.size() ? operands[place] : nullptr;
  Padding padding = paddingOf(op);
  auto windows = windowsOf(op, weights, axes, exprs);
  for (size_t i = 0; windows && i < axes; ++i)
    if (!disputedWindows(op, i, (*windows)[i].kernel).empty())
      return std::nullopt;
  if (padding == Padding::Other || (transposed && padding == Padding::Same) ||
      !windows ||
      (!pools && (!weights || !weights->shape || weights->shape->size() < 2)))
    return std::nullopt;
  if (!pools)
    result[1] = transposed
                    ? exprs.multiply((*weights->shape)[1],
                                     exprs.constant(op.getInt("group", 1)))
                    : (*weights->shape)[0];
  for (auto [size, window] :
       llvm::zip_equal(llvm::drop_begin(result, 2), *windows))
    size = sizeAfter(size, window, padding, transposed, exprs);
  return result;
}
