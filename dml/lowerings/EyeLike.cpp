//===- EyeLike.cpp - Lowering of onnx.EyeLike -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ones where column - row = k. With a free batch size; all others fold.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerEyeLike(LoweringContext &cx) {
  auto [rows, columns] = naturalSizes(cx.result().dims);
  int64_t k = cx.op().getInt("k", 0), last = columns.count - k;
  Expr column = cx.local("rows", call("seq", {1, cx.expr(rows), 1}));
  Expr row = cx.local("columns",
                      matrix(call("seq", {1 - k, last, 1}), 1, columns.count));
  cx.define(0, call("outer", {column, row, Expr::text("==")}));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerEyeLikeLowering(LoweringRegistry &registry) {
  registry.add("EyeLike", {9, 22}, lowerEyeLike);
}
} // namespace onnxfold::dml
