//===- ResizeNodes.cpp - Lowerings of resizing ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See support/Resizing.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Resizing.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// What each axis is multiplied by; nothing if sizes are given.
static std::optional<std::vector<float>> scalesOfResize(LoweringContext &cx) {
  Elements scales = cx.constant(cx.op().since() < 11 ? 1 : 2);
  if (!scales || scales.size() == 0)
    return std::nullopt;
  return scales.values<float>();
}

/// Axis by axis: nearest takes columns, linear and cubic are sums with constant
/// weights (support/Resizing.h).
static Lowered lowerResize(LoweringContext &cx) {
  for (unsigned i = 1; i < cx.numInputs(); ++i)
    if (cx.hasInput(i) && !cx.constant(i))
      return Lowered::refused("the scales, sizes or region are not constants",
                              "fix them with " + setting("bind"));
  return lowerResizing(cx, scalesOfResize(cx));
}

/// Resize by its old name.
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
                            "fix them with " + setting("bind"));
  return lowerResizing(cx, cx.constant(1).values<float>());
}

namespace onnxfold::dml {
void registerResizeNodesLowering(LoweringRegistry &registry) {
  registry.add("Resize", {10, 11, 13, 18, 19}, lowerResize);
  registry.add("Upsample", {1, 7, 9, 10}, lowerUpsample);
}
} // namespace onnxfold::dml
