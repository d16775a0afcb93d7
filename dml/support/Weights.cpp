//===- Weights.cpp - Constant linear maps of an axis ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Weights.h"

using namespace onnxfold;
using namespace onnxfold::dml;

View dml::weighedColumns(LoweringContext &cx, const View &rows, int64_t size,
                         llvm::ArrayRef<Tap> taps) {
  Shape from, to;
  std::vector<double> weights;
  for (const Tap &tap : taps) {
    from.push_back(tap.from + 1);
    to.push_back(tap.to + 1);
    weights.push_back(tap.weight);
  }
  std::vector<Argument> arguments = {columnOf(cx, "from", from),
                                     columnOf(cx, "to", to)};
  int64_t count = weights.size();
  if (llvm::any_of(weights, [](double weight) { return weight != 1; }))
    arguments.push_back(cx.constantMatrix(
        "weights", Elements::fromValues<double>({count}, weights), count, 1));
  arguments.push_back(rows.columns.count);
  arguments.push_back(size);
  Expr table = cx.local("weights_table", call("table", arguments));
  return cx.local(
      "weighed",
      View{cx.helper("weigh_columns", {rows.expr, table}), rows.rows, {size}});
}

View dml::weighedAxis(LoweringContext &cx, const View &view, const Shape &dims,
                      int64_t axis, int64_t size, llvm::ArrayRef<Tap> taps) {
  std::optional<Moved> moved = axesLast(cx, view, dims, {axis});
  View rows = cx.splitAt(moved->view, moved->dims, dims.size() - 1);
  View result = weighedColumns(cx, rows, size, taps);
  moved->dims.back() = size;
  return axisBack(cx, result, moved->dims, axis).view;
}
