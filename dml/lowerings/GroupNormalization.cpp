//===- GroupNormalization.cpp - Lowering of onnx.GroupNormalization ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are the groups of one image. Scale and bias are per group before version
// 21, per channel since then.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

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

namespace onnxfold::dml {
void registerGroupNormalizationLowering(LoweringRegistry &registry) {
  registry.add("GroupNormalization", {18, 21}, lowerGroupNormalization);
}
} // namespace onnxfold::dml
