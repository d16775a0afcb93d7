//===- ConstantOfShape.cpp - Lowering of onnx.ConstantOfShape -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// With a free batch size; all others fold.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"
#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/elements/ir/AttributeConversion.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerConstantOfShape(LoweringContext &cx) {
  double value = 0;
  if (mlir::ElementsAttr given = cx.op().getTensor("value")) {
    Elements one = fromAttribute(given);
    if (firstInexact(one) >= 0)
      return Lowered::refused("its value is an integer beyond 2^53");
    value = asDoubles(one).value<double>();
  }
  auto [rows, columns] = naturalSizes(cx.result().dims);
  cx.define(0, cx.filled(value, rows, columns));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerConstantOfShapeLowering(LoweringRegistry &registry) {
  registry.add("ConstantOfShape", {9, 20, 21, 23, 24, 25},
               lowerConstantOfShape);
}
} // namespace onnxfold::dml
