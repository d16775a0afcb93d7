//===- OneHot.cpp - Lowering of onnx.OneHot ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A row for each index, of off values and one on value; indices that are out of
// range have none.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerOneHot(LoweringContext &cx) {
  const Tensor &index = cx.input(0);
  Elements depth = cx.constant(1);
  if (!depth)
    return Lowered::refused("the depth '" + cx.input(1).name +
                                "' is not a constant",
                            "fix it with " + setting("bind"));
  int64_t n = asDoubles(depth).value<double>(), rank = index.rank() + 1;
  int64_t axis = *normalizeAxis(cx.op().getInt("axis", -1), rank);
  if (axis == 0 && !index.isStatic())
    return Lowered::refusedBatch("moves the free batch size");
  Size rows = sizeOf(index.dims);
  Expr column = cx.reshape(cx.natural(0), rows, {}).expr;
  Expr values = cx.local("values", cx.matrix(2));
  Expr off = call("as.scalar", {values.slice(1, {}, 1, {})}),
       on = call("as.scalar", {values.slice(1, {}, 2, {})});
  Expr isOn = cx.local("is_on", cx.helper("one_hot", {column, n}));
  Expr y = choice(isOn, on, off);
  Shape dims = index.dims;
  dims.push_back(n);
  cx.define(0, axisBack(cx, View{y, rows, {n}}, dims, axis).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerOneHotLowering(LoweringRegistry &registry) {
  registry.add("OneHot", {9, 11}, lowerOneHot);
}
} // namespace onnxfold::dml
