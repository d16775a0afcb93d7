//===- CenterCropPad.cpp - Lowering of onnx.CenterCropPad ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Zeros around a smaller axis, the middle of a larger one.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCenterCropPad(LoweringContext &cx) {
  Shape dims = cx.input(0).dims;
  const Shape &wanted = cx.result().dims;
  View view = cx.natural(0);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    int64_t more = wanted[axis] - dims[axis];
    if (more == 0)
      continue;
    if (dims[axis] == batchDim || wanted[axis] == batchDim)
      return Lowered::refusedBatch("changes the free batch size");
    if (more > 0) {
      view = paddedAlong(cx, view, dims, axis, more / 2, more - more / 2, 0);
    } else {
      Shape kept(wanted[axis]);
      std::iota(kept.begin(), kept.end(), -more / 2);
      view = taken(cx, view, dims, axis, kept);
    }
    dims[axis] = wanted[axis];
  }
  cx.define(0, view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerCenterCropPadLowering(LoweringRegistry &registry) {
  registry.add("CenterCropPad", {18}, lowerCenterCropPad);
}
} // namespace onnxfold::dml
