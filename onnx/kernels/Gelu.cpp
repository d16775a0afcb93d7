//===- Gelu.cpp - Constant kernel of onnx.Gelu ----------------------------===//
//
// 0.5 * x * (1 + erf(x / sqrt(2))), or with attribute `approximate` = "tanh"
// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). Spec: onnx Gelu,
// version 20. In double as written, rounded once; of -inf NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;

static void erfOfScaled(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] /= 0x1.6a09e667f3bcdp+0; // sqrt(2)
  wide::erf(values, count);
}

static void tanhOfCubic(double *values, size_t count) {
  constexpr double factor = 0x1.9884533d43651p-1; // sqrt(2 / pi)
  for (size_t i = 0; i < count; ++i) {
    double v = values[i];
    values[i] = factor * (v + 0.044715 * (v * v * v));
  }
  wide::tanh(values, count);
}

static FoldResult foldGelu(FoldContext &cx) {
  std::string approximate = cx.string("approximate").value_or("none");
  if (approximate != "none" && approximate != "tanh")
    return invalid("attribute 'approximate' is '" + approximate +
                   "', expected 'none' or 'tanh'");
  return inDouble(cx.input(0),
                  approximate == "none" ? erfOfScaled : tanhOfCubic,
                  [](double v, double t) { return 0.5 * v * (1 + t); });
}

namespace onnxfold {
void registerGelu(KernelRegistry &registry) {
  registry.add("Gelu", {20}, foldGelu);
}
} // namespace onnxfold
