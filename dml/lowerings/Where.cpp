//===- Where.cpp - Lowering of onnx.Where --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ifelse() takes scalars and matrices of one shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerWhere(LoweringContext &cx) {
  const Shape &dims = cx.result().dims;
  Expr condition = expandTo(cx, operandOf(cx, 0), dims).expr;
  if (!condition.isName())
    condition = cx.local("condition", condition);
  cx.define(0, choice(condition, scalarOrExpanded(cx, operandOf(cx, 1), dims),
                      scalarOrExpanded(cx, operandOf(cx, 2), dims)));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerWhereLowering(LoweringRegistry &registry) {
  registry.add("Where", {9, 16}, lowerWhere);
}
} // namespace onnxfold::dml
