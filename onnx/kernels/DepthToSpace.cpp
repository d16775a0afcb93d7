//===- DepthToSpace.cpp - Constant kernel of onnx.DepthToSpace ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of channels become blocks of rows and columns: a transposed view.
// Spec: onnx DepthToSpace, versions 1, 11 (mode), 13, 28. In mode DCR the
// position in the block is the slower part of the channel, in mode CRD the
// faster one.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Blocks.h"

using namespace onnxfold;

static FoldResult foldDepthToSpace(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<Blocks> blocks = readBlocks(cx);
  if (!blocks)
    return blocks.reason();
  int64_t block = blocks->size;
  int64_t n = x.dim(0), depth = x.dim(1), h = x.dim(2), w = x.dim(3);
  if (depth % block != 0 || depth / block % block != 0 ||
      !checkedNumElements({h, block}) || !checkedNumElements({w, block}))
    return badBlockSize(*blocks, x);
  int64_t c = depth / block / block;
  Elements moved =
      blocks->depthFirst
          ? x.reshape({n, block, block, c, h, w}).transpose({0, 3, 4, 1, 5, 2})
          : x.reshape({n, c, block, block, h, w}).transpose({0, 1, 4, 2, 5, 3});
  return moved.reshape({n, c, h * block, w * block});
}

namespace onnxfold {
void registerDepthToSpace(KernelRegistry &registry) {
  registry.add("DepthToSpace", {1, 11, 13, 28}, foldDepthToSpace);
}
} // namespace onnxfold
