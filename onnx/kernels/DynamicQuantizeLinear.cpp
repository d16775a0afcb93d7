//===- DynamicQuantizeLinear.cpp - Kernel of onnx.DynamicQuantizeLinear ---===//
// SPDX-License-Identifier: Apache-2.0
//
// x as u8, with the scale and zero point that let 0 to 255 cover all elements
// and 0. Spec: onnx DynamicQuantizeLinear, version 11. Each step is rounded to
// f32, as in the function body: an integer may depend on the last bit of the
// scale. Kept where the scale is 0, infinite or NaN: then nothing is defined.
// Programs do as ONNX Runtime where all elements are 0 or the largest is
// infinite.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// The smallest or largest of the elements and 0.
static float extreme(const Elements &x, Reduction kind) {
  if (x.size() == 0)
    return 0;
  float found =
      reduce(x, firstAxes(x.rank()), /*keepDims=*/false, kind).value<float>();
  bool replaces = kind == Reduction::Min ? found > 0 : found < 0;
  return replaces ? 0 : found;
}

/// For a program, as ONNX Runtime: no range has the scale 1, and one without an
/// upper end the infinite one.
static bool decidesScale(float low, float high, float &scale) {
  if (low == 0 && high == 0)
    scale = 1;
  return scale == 1 || (std::isinf(high) && std::isfinite(low));
}

static FoldResult foldDynamicQuantizeLinear(FoldContext &cx) {
  Elements x = cx.input(0).narrowed();
  if (x.type() != DataType::Float32)
    return Elements();
  float low = extreme(x, Reduction::Min), high = extreme(x, Reduction::Max);
  float scale = (high - low) / 255;
  if ((!(scale > 0) || std::isinf(scale)) &&
      !(mustDecide(cx) && decidesScale(low, high, scale)))
    return undefined("the elements and 0 range from " +
                     llvm::Twine(std::to_string(low)) + " to " +
                     std::to_string(high) + ", which gives no scale");
  // low is 0 or negative and within the range, so that this is 0 to 255.
  auto zero = uint8_t(std::nearbyint(std::min(0 - low / scale, 255.0f)));
  Elements scales = Elements::fromValues<float>({}, {scale});
  Elements zeros = Elements::fromValues<uint8_t>({}, {zero});
  return llvm::SmallVector<Elements, 1>{
      quantize(x, scales, zeros, {.to = DataType::UInt8}), scales, zeros};
}

namespace onnxfold {
void registerDynamicQuantizeLinear(KernelRegistry &registry) {
  registry.add("DynamicQuantizeLinear", {11}, foldDynamicQuantizeLinear);
}
} // namespace onnxfold
