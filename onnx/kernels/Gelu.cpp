//===- Gelu.cpp - Constant kernel of onnx.Gelu ----------------------------===//
//
// 0.5 * x * (1 + erf(x / sqrt(2))), or with attribute `approximate` = "tanh"
// 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). Spec: onnx Gelu,
// version 20. In double, rounded once, by formulas that do not cancel below 0:
//   1 + erf(z) = erfc(-z)     (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 * u))
// f64 is within 3 ulp of the exact value, with "tanh" within some |u| ulp. Of
// -inf NaN, as the text's formula has it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Values that are worked on at a time.
static constexpr size_t piece = 256;

/// Calls f(x, n) for pieces of the values and a place for n more doubles.
template <class F> static void forPieces(double *values, size_t count, F f) {
  double scratch[piece];
  for (size_t first = 0; first < count; first += piece)
    f(values + first, scratch, std::min(piece, count - first));
}

/// The upper half of the bits, so that products of halves are exact.
static double upperHalf(double v) {
  double scaled = v * 0x1.0000002p27;
  return scaled - (scaled - v);
}

static void gelu(double *values, size_t count) {
  forPieces(values, count, [](double *x, double *tail, size_t n) {
    // -x / sqrt(2), rounded, and by how much it is too small: erfc magnifies
    // errors of its argument z by 2 * z^2.
    constexpr double high = 0x1.6a09e6p-1, low = 0x1.9fcef32422cbfp-27;
    double z[piece], density[piece];
    for (size_t i = 0; i < n; ++i) {
      double a = upperHalf(x[i]), b = x[i] - a;
      z[i] = -(x[i] * (high + low));
      tail[i] = -(((a * high + z[i]) + b * high) + x[i] * low);
      density[i] = -(z[i] * z[i]);
    }
    wide::erfc(z, n);
    wide::exp(density, n);
    constexpr double slope = 0x1.20dd750429b6dp+0; // 2 / sqrt(pi)
    for (size_t i = 0; i < n; ++i) {
      // Beyond the reach of the splitting nothing is left to correct.
      double correction =
          std::fabs(x[i]) < 0x1p20 ? slope * density[i] * tail[i] : 0.0;
      x[i] = 0.5 * x[i] * (z[i] - correction);
    }
  });
}

static void geluByTanh(double *values, size_t count) {
  forPieces(values, count, [](double *x, double *s, size_t n) {
    constexpr double twice = 0x1.9884533d43651p+0; // 2 * sqrt(2 / pi)
    for (size_t i = 0; i < n; ++i)
      s[i] = twice * (x[i] + 0.044715 * (x[i] * x[i] * x[i]));
    wide::sigmoid(s, n);
    for (size_t i = 0; i < n; ++i)
      x[i] *= s[i];
  });
}

static FoldResult foldGelu(FoldContext &cx) {
  std::string approximate = cx.string("approximate").value_or("none");
  if (approximate != "none" && approximate != "tanh")
    return invalid("attribute 'approximate' is '" + approximate +
                   "', expected 'none' or 'tanh'");
  return mapWide(cx.input(0), approximate == "none" ? gelu : geluByTanh);
}

namespace onnxfold {
void registerGelu(KernelRegistry &registry) {
  registry.add("Gelu", {20}, foldGelu);
}
} // namespace onnxfold
