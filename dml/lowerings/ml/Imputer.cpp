//===- Imputer.cpp - Lowering of onnx.ml.Imputer -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements that equal one value (NaN too) are replaced: everywhere by the same
// value, or by one for each column.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Scores.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerImputer(LoweringContext &cx) {
  View x = featuresOf(cx);
  std::vector<float> values;
  double replaced;
  if (isFloat(cx.result().type)) {
    auto list = cx.op().getFloats("imputed_value_floats");
    if (list)
      values.assign(list->begin(), list->end());
    replaced = cx.op().getFloat("replaced_value_float", 0);
  } else {
    auto list = cx.op().getInts("imputed_value_int64s");
    if (list)
      values.assign(list->begin(), list->end());
    if (list && llvm::any_of(*list, [](int64_t v) { return v != float(v); }))
      return Lowered::refused("an imputed value is too large");
    replaced = cx.op().getInt("replaced_value_int64", 0);
  }
  int64_t count = values.size();
  bool fits =
      count == 1 || (cx.input(0).rank() == 2 && x.columns.count == count);
  if (count == 0 || !fits)
    return Lowered::refused("the imputed values do not fit the input");
  Expr value = double(values[0]);
  if (count != 1) {
    Expr row = listMatrix(cx, "imputed", values, 1, count);
    value = cx.filled(1, x.rows, {}).times(row);
  }
  Expr isReplaced = std::isnan(replaced) ? call("isNaN", {x.expr})
                                         : Expr::binary("==", x.expr, replaced);
  cx.define(0, choice(isReplaced, value, x.expr));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerImputerLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.Imputer", {1}, lowerImputer);
}
} // namespace onnxfold::dml
