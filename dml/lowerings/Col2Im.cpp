//===- Col2Im.cpp - Lowering of onnx.Col2Im ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each pixel is the sum of what blocks have there.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Weights.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// One dimension of the image and of the blocks.
struct BlockAxis {
  int64_t image, kernel, stride, dilation, begin, positions;
};

static llvm::SmallVector<BlockAxis, 4>
blockAxes(LoweringContext &cx, llvm::ArrayRef<int64_t> block) {
  auto strides = cx.op().getInts("strides"), pads = cx.op().getInts("pads"),
       dilations = cx.op().getInts("dilations");
  llvm::SmallVector<BlockAxis, 4> axes;
  for (size_t i = 0; i < block.size(); ++i) {
    BlockAxis axis{cx.result().dims[i + 2],     block[i],
                   strides ? (*strides)[i] : 1, dilations ? (*dilations)[i] : 1,
                   pads ? (*pads)[i] : 0,       0};
    int64_t end = pads ? (*pads)[i + block.size()] : 0;
    axis.positions = (axis.image + axis.begin + end -
                      (axis.kernel - 1) * axis.dilation - 1) /
                         axis.stride +
                     1;
    axes.push_back(axis);
  }
  return axes;
}

/// Element `k` of block `l` is a pixel, or outside: -1.
static int64_t pixelOf(llvm::ArrayRef<BlockAxis> axes, int64_t k, int64_t l) {
  int64_t pixel = 0, size = 1;
  for (const BlockAxis &a : llvm::reverse(axes)) {
    int64_t at =
        l % a.positions * a.stride + k % a.kernel * a.dilation - a.begin;
    if (at < 0 || at >= a.image)
      return -1;
    pixel += at * size;
    size *= a.image;
    k /= a.kernel;
    l /= a.positions;
  }
  return pixel;
}

static Lowered lowerCol2Im(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims, &y = cx.result().dims;
  bool isKnown = true;
  std::optional<Shape> block = cx.ints(2, "", isKnown);
  if (!block)
    return Lowered::refused("the shape of blocks is not a constant",
                            "fix it with " + setting("bind"));
  auto axes = blockAxes(cx, *block);
  int64_t blocks = x[2], values = sizeOf(*block).count,
          pixels = sizeOf(llvm::ArrayRef<int64_t>(y).drop_front(2)).count;
  std::vector<Tap> taps;
  for (int64_t i = 0; i < values * blocks; ++i)
    if (int64_t pixel = pixelOf(axes, i / blocks, i % blocks); pixel >= 0)
      taps.push_back({i, pixel});
  View rows = cx.reshape(cx.natural(0),
                         sizeOf(llvm::ArrayRef<int64_t>(y).take_front(2)),
                         {values * blocks});
  View sums = weighedColumns(cx, rows, pixels, taps);
  cx.define(0, View{wrapped(cx, sums.expr, cx.result().type), sums.rows,
                    sums.columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerCol2ImLowering(LoweringRegistry &registry) {
  registry.add("Col2Im", {18}, lowerCol2Im);
}
} // namespace onnxfold::dml
