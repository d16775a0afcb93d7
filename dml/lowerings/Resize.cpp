//===- Resize.cpp - Lowering of onnx.Resize ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Axis by axis: nearest takes columns, linear and cubic are sums with constant
// weights (support/Resizing.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Resizing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// What each axis is multiplied by; nothing if sizes are given.
static std::optional<std::vector<float>> scalesOfResize(LoweringContext &cx) {
  Elements scales = cx.constant(cx.op().since() < 11 ? 1 : 2);
  if (!scales || scales.size() == 0)
    return std::nullopt;
  return scales.values<float>();
}

static Lowered lowerResize(LoweringContext &cx) {
  for (unsigned i = 1; i < cx.numInputs(); ++i)
    if (cx.hasInput(i) && !cx.constant(i))
      return Lowered::refused("the scales, sizes or region are not constants",
                              "fix them with --bind");
  return lowerResizing(cx, scalesOfResize(cx));
}

namespace onnxfold::dml {
void registerResizeLowering(LoweringRegistry &registry) {
  registry.add("Resize", {10, 11, 13, 18, 19}, lowerResize);
}
} // namespace onnxfold::dml
