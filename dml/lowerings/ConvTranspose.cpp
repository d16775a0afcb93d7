//===- ConvTranspose.cpp - Lowering of onnx.ConvTranspose ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All that kernels cover, cut by the pads; behind it, zeros up to the size of
// the result.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/ConvolutionLowering.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Where the result begins in what the kernel covers, which has size `covered`;
/// nothing if ONNX does not say.
static std::optional<int64_t> beginOf(LoweringContext &cx, size_t axis,
                                      int64_t covered, int64_t out) {
  Operator op = cx.op();
  auto shape = op.getInts("output_shape"), pads = op.getInts("pads"),
       more = op.getInts("output_padding");
  llvm::StringRef mode = op.getString("auto_pad", "NOTSET");
  bool isSame = mode.starts_with("SAME");
  if (!isSame && (!shape || shape->empty()))
    return mode == "NOTSET" && pads && !pads->empty() ? (*pads)[axis] : 0;
  int64_t total = covered + (more && !more->empty() ? (*more)[axis] : 0) - out,
          half = llvm::divideFloorSigned(total, 2),
          begin = mode == "SAME_UPPER" ? half : total - half;
  // One more at the end is a zero there, however -1 is divided.
  if (total < 0 && begin != 0)
    return std::nullopt;
  return begin;
}

static Lowered lowerConvTranspose(LoweringContext &cx) {
  Shape kernel = kernelShape(cx, 1);
  Shape in = kernelShape(cx, 0), out = cx.result().dims;
  if (in.empty() || in.size() > 3 || kernel.size() != in.size())
    return Lowered::refused("not one to three spatial dimensions");
  auto strides = cx.op().getInts("strides"),
       dilations = cx.op().getInts("dilations");
  Windows windows;
  Shape begins;
  for (size_t i = 0; i < in.size(); ++i) {
    WindowAxis axis;
    axis.in = in[i];
    axis.kernel = kernel[i];
    axis.stride = strides && !strides->empty() ? (*strides)[i] : 1;
    axis.dilation = dilations && !dilations->empty() ? (*dilations)[i] : 1;
    axis.out = (axis.in - 1) * axis.stride + axis.extent();
    std::optional<int64_t> begin = beginOf(cx, i, axis.out, out[i + 2]);
    if (!begin || *begin < 0 || *begin >= axis.out)
      return Lowered::refused("how negative pads are divided is not specified");
    begins.push_back(*begin);
    windows.axes.push_back(axis);
  }
  Moved y = imagesOf(cx, 0);
  y.view = convolvedTransposed(cx, y, imagesOf(cx, 1),
                               cx.op().getInt("group", 1), windows);
  y.dims = resultDims(cx.input(0).dims, windows, out[1]);
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t covered = y.dims[i + 2], wanted = out[i + 2],
            count = std::min(wanted, covered - begins[i]);
    Shape kept(count);
    std::iota(kept.begin(), kept.end(), begins[i]);
    y.view = taken(cx, y.view, y.dims, i + 2, kept);
    y.dims[i + 2] = count;
    y = padAxis(cx, y, i + 2, 0, wanted - count, 0);
  }
  auto [rows, columns] = naturalSizes(out);
  cx.define(0, withBias(cx, cx.reshape(y.view, rows, columns), 2));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConvTransposeLowering(LoweringRegistry &registry) {
  registry.add("ConvTranspose", {1, 11, 22}, lowerConvTranspose);
}
} // namespace onnxfold::dml
