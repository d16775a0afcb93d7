//===- Uniforms.cpp - Tensors of one number as constants -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/UniformValues.h"

using namespace onnxfold;
using namespace mlir;

Value patterns::matchUniform(const CleanUpContext &cx) {
  Value result = cx.op->getResult(0);
  const auto &shape = cx.knownValues().state(result).shape;
  if (!shape || cx.constantOf(result) || !cx.nodes.sinceOf("Expand"))
    return {};
  SmallVector<int64_t> sizes;
  for (DimExpr size : *shape)
    if (auto known = cx.knownValues().exprs().valueOf(size))
      sizes.push_back(*known);
  Elements element =
      sizes.size() == shape->size() ? uniformOf(cx, result) : Elements();
  if (!element)
    return {};
  Value number = cx.nodes.constant(element);
  return cx.nodes.create("Expand", {number, cx.nodes.integers(sizes)});
}
