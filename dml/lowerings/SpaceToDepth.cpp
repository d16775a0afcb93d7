//===- SpaceToDepth.cpp - Lowering of onnx.SpaceToDepth ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of pixels become channels: a transposition.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSpaceToDepth(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  int64_t block = cx.op().getInt("blocksize", 1);
  cx.define(0,
            transposed(cx, cx.natural(0),
                       {x[0], x[1], x[2] / block, block, x[3] / block, block},
                       {0, 3, 5, 1, 2, 4})
                .view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSpaceToDepthLowering(LoweringRegistry &registry) {
  registry.add("SpaceToDepth", {1, 13}, lowerSpaceToDepth);
}
} // namespace onnxfold::dml
