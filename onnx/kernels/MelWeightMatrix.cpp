//===- MelWeightMatrix.cpp - Constant kernel of onnx.MelWeightMatrix ------===//
// SPDX-License-Identifier: Apache-2.0
//
// One column for each band: a triangle of height 1 over the bins between edges
// that are equally far apart on the mel scale. Spec: onnx MelWeightMatrix,
// version 17. Edges are cut off to whole bins, and there are bands + 2 steps
// between the limits, as the reference evaluator has it. In double, rounded
// once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Signal.h"
#include <cmath>
#include <numbers>

using namespace onnxfold;
using namespace onnxfold::ops;

/// 2595 * log10(1 + f / 700)
static double melOf(double hertz) {
  double log = hertz / 700;
  wide::log1p(&log, 1);
  return 2595 * log / std::numbers::ln10;
}

/// The bins of the edges of all bands: band i has its foot at i and i + 2, and
/// its peak at i + 1.
static std::vector<double> edgesOf(int64_t bands, int64_t length, int64_t rate,
                                   double lower, double upper) {
  double low = melOf(lower), step = (melOf(upper) - low) / double(bands + 2);
  std::vector<double> edges(bands + 2);
  for (int64_t i = 0; i < bands + 2; ++i)
    edges[i] = (double(i) * step + low) / 2595 * std::numbers::ln10;
  wide::expm1(edges.data(), edges.size());
  for (double &edge : edges) {
    double scaled = (double(length) + 1) * (700 * edge);
    // The exact quotient is cut off, not one that was rounded up.
    edge = std::nearbyint((scaled - std::fmod(scaled, rate)) / rate);
  }
  return edges;
}

static double weight(const double *edge, double bin) {
  if (bin >= edge[1] && bin < edge[2])
    return (edge[2] - bin) / (edge[2] - edge[1]);
  if (bin < edge[0] || bin > edge[1])
    return 0;
  return edge[0] == edge[1] ? 1 : (bin - edge[0]) / (edge[1] - edge[0]);
}

static FoldResult foldMelWeightMatrix(FoldContext &cx) {
  ReasonOr<int64_t> bands = integerInput(cx, 0);
  ReasonOr<int64_t> length = integerInput(cx, 1);
  ReasonOr<int64_t> rate = integerInput(cx, 2);
  ReasonOr<DataType> output = outputType(cx);
  for (const Reason &wrong :
       {bands.reason(), length.reason(), rate.reason(), output.reason()})
    if (wrong)
      return wrong;
  for (unsigned i = 3; i < 5; ++i)
    if (Reason several = checkOneElement(cx, i))
      return several;
  if (*bands <= 0 || *length <= 0 || *rate <= 0)
    return invalid(llvm::Twine(*bands) + " bands, DFT length " +
                   llvm::Twine(*length) + " and sample rate " +
                   llvm::Twine(*rate) + ", expected more than 0");
  double lower = cx.input(3).number().to<double>();
  double upper = cx.input(4).number().to<double>();
  if (!(lower >= 0 && lower <= upper))
    return invalid("the frequencies are not 0 <= lower <= upper");
  Shape shape = {*length / 2 + 1, *bands};
  for (const Reason &large : {cx.checkResult(*output, shape),
                              cx.checkResult(DataType::Float64, {*bands})})
    if (large)
      return large;
  auto edges = std::make_shared<const std::vector<double>>(
      edgesOf(*bands, *length, *rate, lower, upper));
  if (!((*edges)[shape[1]] < double(shape[0]) &&
        (*edges)[shape[1] + 1] <= double(shape[0])))
    return invalid("the upper frequency is beyond the last bin");
  return madeInDouble(
      *output, shape,
      [bands = shape[1], edges](int64_t first, int64_t count, double *out) {
        for (int64_t i = 0; i < count; ++i)
          out[i] = weight(edges->data() + (first + i) % bands,
                          double((first + i) / bands));
      });
}

namespace onnxfold {
void registerMelWeightMatrix(KernelRegistry &registry) {
  registry.add("MelWeightMatrix", {17}, foldMelWeightMatrix);
}
} // namespace onnxfold
