//===- DepthToSpace.cpp - Lowering of onnx.DepthToSpace ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of channels become blocks of pixels: a transposition.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDepthToSpace(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  int64_t block = cx.op().getInt("blocksize", 1),
          channels = x[1] / (block * block);
  if (cx.op().getString("mode", "DCR") == "CRD")
    cx.define(0, transposed(cx, cx.natural(0),
                            {x[0], channels, block, block, x[2], x[3]},
                            {0, 1, 4, 2, 5, 3})
                     .view);
  else
    cx.define(0, transposed(cx, cx.natural(0),
                            {x[0], block, block, channels, x[2], x[3]},
                            {0, 3, 4, 1, 5, 2})
                     .view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerDepthToSpaceLowering(LoweringRegistry &registry) {
  registry.add("DepthToSpace", {1, 11, 13}, lowerDepthToSpace);
}
} // namespace onnxfold::dml
