//===- GridSample.cpp - Lowering of onnx.GridSample ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Pixels as rows, which a matrix of weights of the run sums. Of coordinates that are
// half way between pixels the even one is nearest.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/Text.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// (batch, channels, places...) with the channels last, and back.
static Shape channelsLast(int64_t rank) {
  Shape perm = {0};
  for (int64_t i = 2; i < rank; ++i)
    perm.push_back(i);
  perm.push_back(1);
  return perm;
}

/// Along one dimension; 0 if the mode is not known.
static int tapsOf(llvm::StringRef mode) {
  return llvm::StringSwitch<int>(mode)
      .Case("nearest", 1)
      .Cases({"linear", "bilinear"}, 2)
      .Cases({"cubic", "bicubic"}, 4)
      .Default(0);
}

static Lowered lowerGridSample(LoweringContext &cx) {
  const Tensor &x = cx.input(0), &grid = cx.input(1);
  int taps = tapsOf(cx.op().getString("mode", "linear"));
  if (taps == 0)
    return Lowered::refused("the mode is not known");
  if (taps > 1 && !isFloat(x.type))
    return Lowered::refused("integers would need rounding");
  int padding =
      llvm::StringSwitch<int>(cx.op().getString("padding_mode", "zeros"))
          .Case("border", 1)
          .Case("reflection", 2)
          .Default(0);
  Moved pixels = transposed(cx, cx.natural(0), x.dims, channelsLast(x.rank()));
  llvm::ArrayRef<int64_t> image = llvm::ArrayRef<int64_t>(x.dims).drop_front(2);
  View rows = cx.splitAt(pixels.view, pixels.dims, x.rank() - 1),
       points = cx.view(1, grid.rank() - 1);
  Size n = sizeOf(llvm::ArrayRef<int64_t>(x.dims).take_front());
  Expr y = cx.helper("grid_sample",
                     {rows.expr, points.expr,
                      rowText(Shape(image.rbegin(), image.rend())), cx.expr(n),
                      taps, padding, cx.op().getInt("align_corners", 0)});
  Shape dims(grid.dims.begin(), grid.dims.end() - 1);
  dims.push_back(x.dims[1]);
  View result = cx.local("sampled", View{y, points.rows, rows.columns});
  cx.define(0, axisBack(cx, result, dims, 1).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerGridSampleLowering(LoweringRegistry &registry) {
  registry.add("GridSample", {16, 20, 22}, lowerGridSample);
}
} // namespace onnxfold::dml
