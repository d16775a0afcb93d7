//===- Normalize.cpp - Lowerings of normalizations ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Values less their mean and divided by what is near their size.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Normalization.h"
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Rows are channels of one image.
static Lowered lowerInstanceNormalization(LoweringContext &cx) {
  NormalizedRows n =
      normalizedRows(cx, cx.view(0, 2), cx.op().getFloat("epsilon", 1e-5f),
                     /*isCentered=*/true);
  auto [rows, columns] = naturalSizes(cx.result().dims);
  cx.define(0, scaledChannels(cx, cx.reshape(n.values, rows, columns).expr,
                              cx.matrix(1), cx.matrix(2)));
  return Lowered::done();
}

/// A column with a number for each channel.
static Expr perChannel(LoweringContext &cx, unsigned input, int64_t channels) {
  View all = cx.natural(input);
  int64_t count = cx.input(input).dims[0];
  Expr column = cx.reshape(all, {count}, {}).expr;
  if (count == channels)
    return column;
  Expr repeated = column.times(cx.filled(1, {}, {channels / count}));
  return matrix(repeated, channels, 1);
}

/// Rows are the groups of one image. Scale and bias are per group before version
/// 21, per channel since then.
static Lowered lowerGroupNormalization(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t groups = cx.op().getInt("num_groups", 0), channels = x.dims[1];
  if (groups < 1 || channels % groups != 0)
    return Lowered::refused("the groups do not divide the channels");
  double epsilon = cx.op().getFloat("epsilon", 1e-5f);
  auto [r, c] = naturalSizes(x.dims);
  Size images{r.count * groups, r.perBatch}, width{c.count / groups};
  Expr rows = cx.local("rows", cx.reshape(cx.natural(0), images, width).expr);
  Expr d = cx.local("centered", rows - call("rowMeans", {rows}));
  View n = cx.local(
      "normalized",
      View{d / call("sqrt", {call("rowMeans", {power(d, 2)}) + epsilon}),
           images, width});
  Expr natural = cx.reshape(n, r, c).expr;
  Expr scaled = call("bias_multiply", {natural, perChannel(cx, 1, channels)});
  cx.define(0, call("bias_add", {scaled, perChannel(cx, 2, channels)}));
  return Lowered::done();
}

/// Less the mean, divided by the standard deviation plus 1e-9, over some axes.
static Lowered lowerMeanVarianceNormalization(LoweringContext &cx) {
  Shape axes{0, 2, 3};
  if (auto given = cx.op().getInts("axes"))
    axes = Shape(std::move(*given));
  return lowerAlongAxes(cx, axes, [&](Expr x) {
    Expr d = cx.local("centered", x - call("rowMeans", {x}));
    Expr variance = call("rowMeans", {power(d, 2)});
    return d / (call("sqrt", {variance}) + 1e-9);
  });
}

/// Along an axis divided by the sum of absolute values, or by the root of the
/// sum of squares; where that is 0 the result is 0.
static Lowered lowerLpNormalization(LoweringContext &cx) {
  int64_t p = cx.op().getInt("p", 2);
  if (p != 1 && p != 2)
    return Lowered::refused("p is not 1 or 2");
  return lowerAlongAxis(cx, cx.op().getInt("axis", -1), [&](Expr x) {
    Expr norm = p == 1 ? call("rowSums", {call("abs", {x})})
                       : call("sqrt", {call("rowSums", {power(x, 2)})});
    norm = cx.local("norm", norm);
    return x / choice(Expr::binary("==", norm, 0), 1, norm);
  });
}

namespace onnxfold::dml {
void registerNormalizeLowering(LoweringRegistry &registry) {
  // Rows are what is normalised; scale and bias broadcast to the input.
  registry.add("LayerNormalization", {17}, [](LoweringContext &cx) {
    return lowerLastAxesNormalization(cx, /*isCentered=*/true);
  });
  // Rows are what is normalised; scale broadcast to the input.
  registry.add("RMSNormalization", {23}, [](LoweringContext &cx) {
    return lowerLastAxesNormalization(cx, /*isCentered=*/false);
  });
  registry.add("InstanceNormalization", {6, 22}, lowerInstanceNormalization);
  registry.add("GroupNormalization", {18, 21}, lowerGroupNormalization);
  registry.add("MeanVarianceNormalization", {9, 13},
               lowerMeanVarianceNormalization);
  registry.add("LpNormalization", {1, 22}, lowerLpNormalization);
}
} // namespace onnxfold::dml
