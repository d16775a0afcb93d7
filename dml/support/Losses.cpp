//===- Losses.cpp - The negative log-likelihood in DML --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Losses.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Lowered dml::classesLast(LoweringContext &cx, Moved &rows) {
  const Tensor &x = cx.input(0);
  std::optional<Moved> moved;
  if (x.rank() >= 2 && x.dims[1] != batchDim)
    moved = axesLast(cx, cx.natural(0), x.dims, {1});
  if (!moved)
    return Lowered::refusedBatch("the classes are the free batch size");
  rows = {cx.splitAt(moved->view, moved->dims, x.rank() - 1), moved->dims};
  return Lowered::done();
}

/// The row of weights at the picked classes, as a column.
static Expr pickedWeights(LoweringContext &cx, const Expr &picked,
                          const View &logs) {
  Expr row = cx.reshape(cx.natural(2), {}, logs.columns).expr;
  Expr all = cx.filled(1, logs.rows, {}).times(row);
  return cx.local("weights", call("rowSums", {choice(picked, all, 0)}));
}

/// `loss` and `weights` (null: 1) are columns.
static Lowered reduced(LoweringContext &cx, const View &loss, Expr weights) {
  llvm::StringRef reduction = cx.op().getString("reduction", "mean");
  if (reduction == "none") {
    cx.define(0, loss);
    return Lowered::done();
  }
  Expr column = cx.local("loss", loss.expr);
  if (reduction == "sum")
    cx.define(0, call("colSums", {column}));
  else if (weights)
    cx.define(0, call("colSums", {column}) / call("colSums", {weights}));
  else
    cx.define(0, call("colMeans", {column}));
  return Lowered::done();
}

Lowered dml::defineLoss(LoweringContext &cx, const View &logs) {
  int64_t classes = logs.columns.count;
  Expr target =
      cx.local("target", cx.reshape(cx.natural(1), logs.rows, {}).expr);
  Expr numbers = call("t", {call("seq", {0, classes - 1, 1})});
  Expr picked =
      cx.local("picked", call("outer", {target, numbers, Expr::text("==")}));
  // A sum with zeros: exact, infinities too.
  Expr loss = -call("rowSums", {choice(picked, logs.expr, 0)});
  Expr weights;
  if (cx.hasInput(2)) {
    weights = pickedWeights(cx, picked, logs);
    loss = loss * weights;
  }
  // Others pick nothing, and so have neither loss nor weight.
  if (auto ignored = cx.op().getInt("ignore_index")) {
    Expr valid = cx.local("valid", Expr::binary("!=", target, *ignored));
    loss = choice(valid, cx.local("loss", loss), 0);
    weights = weights ? cx.local("valid_weights", weights * valid) : valid;
  }
  return reduced(cx, {loss, logs.rows, {}}, weights);
}
