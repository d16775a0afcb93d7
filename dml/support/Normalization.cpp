//===- Normalization.cpp - Rows with a mean of 0 and a spread of 1 --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Normalization.h"
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

NormalizedRows dml::normalizedRows(LoweringContext &cx, const View &rows,
                                   double epsilon, bool isCentered) {
  NormalizedRows result;
  Expr d = cx.local("rows", rows.expr);
  if (isCentered) {
    result.mean = cx.local("means", call("rowMeans", {d}));
    d = cx.local("centered", d - result.mean);
  }
  result.deviation = cx.local(
      "deviations", call("sqrt", {call("rowMeans", {power(d, 2)}) + epsilon}));
  result.values = cx.local("normalized",
                           View{d / result.deviation, rows.rows, rows.columns});
  return result;
}

Lowered dml::lowerLastAxesNormalization(LoweringContext &cx, bool isCentered) {
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -1), cx.input(0).rank());
  if (axis == 0 && !cx.input(0).isStatic())
    return Lowered::refusedBatch("normalises along the free batch size");
  View rows = cx.view(0, axis);
  NormalizedRows n =
      normalizedRows(cx, rows, cx.op().getFloat("epsilon", 1e-5f), isCentered);
  if (cx.isUsed(1))
    cx.define(1, View{n.mean, rows.rows, {}});
  if (cx.isUsed(2))
    cx.define(2, View{1 / n.deviation, rows.rows, {}});
  const Shape &dims = cx.result().dims;
  auto multiply = [](Expr p, Expr q) { return p * q; };
  auto add = [](Expr p, Expr q) { return p + q; };
  View y = broadcastBinary(cx, {n.values, dims, std::nullopt}, operandOf(cx, 1),
                           dims, multiply, multiply);
  if (cx.hasInput(2))
    y = broadcastBinary(cx, {cx.local("scaled", y), dims, std::nullopt},
                        operandOf(cx, 2), dims, add, add);
  cx.define(0, y);
  return Lowered::done();
}

Expr dml::scaledChannels(LoweringContext &cx, Expr x, Expr scale, Expr shift) {
  if (cx.input(0).rank() == 2)
    return x * scale + shift;
  return call("bias_add", {call("bias_multiply", {x, call("t", {scale})}),
                           call("t", {shift})});
}
