//===- SpaceToDepth.cpp - Constant kernel of onnx.SpaceToDepth ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of rows and columns become channels: a transposed view, the inverse of
// DepthToSpace. Spec: onnx SpaceToDepth, versions 1, 13, 28 (mode; DCR before).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Blocks.h"

using namespace onnxfold;

static FoldResult foldSpaceToDepth(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Blocks> blocks = readBlocks(cx);
  if (!blocks)
    return blocks.reason();
  int64_t block = blocks->size;
  int64_t n = x.dim(0), c = x.dim(1), h = x.dim(2), w = x.dim(3);
  if (h % block != 0 || w % block != 0 ||
      !checkedNumElements({c, block, block}))
    return badBlockSize(*blocks, x);
  Elements split = x.reshape({n, c, h / block, block, w / block, block});
  Elements moved = blocks->depthFirst ? split.transpose({0, 3, 5, 1, 2, 4})
                                      : split.transpose({0, 1, 3, 5, 2, 4});
  return moved.reshape({n, c * block * block, h / block, w / block});
}

namespace onnxfold {
void registerSpaceToDepth(KernelRegistry &registry) {
  registry.add("SpaceToDepth", {1, 13, 28}, foldSpaceToDepth);
}
} // namespace onnxfold
