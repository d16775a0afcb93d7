//===- Upsample.cpp - Lowering of onnx.Upsample --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Resize by its old name.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Resizing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerUpsample(LoweringContext &cx) {
  if (cx.op().since() == 1)
    return lowerResizing(
        cx, std::vector<float>{1, 1, cx.op().getFloat("height_scale", 1),
                               cx.op().getFloat("width_scale", 1)});
  if (cx.op().since() < 9) {
    auto scales = cx.op().getFloats("scales");
    return lowerResizing(cx,
                         std::vector<float>(scales->begin(), scales->end()));
  }
  if (!cx.constant(1))
    return Lowered::refused("the scales are not constant",
                            "fix them with --bind");
  return lowerResizing(cx, cx.constant(1).values<float>());
}

namespace onnxfold::dml {
void registerUpsampleLowering(LoweringRegistry &registry) {
  registry.add("Upsample", {1, 7, 9, 10}, lowerUpsample);
}
} // namespace onnxfold::dml
