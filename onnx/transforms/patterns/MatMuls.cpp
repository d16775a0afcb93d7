//===- MatMuls.cpp - Products of matrices and their biases ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"

using namespace onnxfold;
using namespace mlir;

static bool hasRank(const CleanUpContext &cx, Value value, size_t rank) {
  const auto &shape = cx.knownValues().state(value).shape;
  return shape && shape->size() == rank;
}

Value patterns::matchGemm(const CleanUpContext &cx) {
  constexpr int broadcasts = 7; // Gemm's addend, of itself
  if (!cx.op.is("Add") || cx.op.since() < broadcasts ||
      cx.nodes.sinceOf("Gemm").value_or(0) < broadcasts)
    return {};
  DataType type = cx.typeOf(cx.op->getResult(0));
  if (type != DataType::Float16 && type != DataType::Float32 &&
      type != DataType::Float64)
    return {};
  for (unsigned i : {0u, 1u}) {
    Operator product = cx.producer(i, "MatMul");
    Elements addend = product ? cx.constant(1 - i) : Elements();
    if (addend && addend.rank() <= 2 && !addsToRound(addend) &&
        cx.isLike(cx.op.input(i)) && hasRank(cx, product.input(0), 2) &&
        hasRank(cx, product.input(1), 2) && cx.isOnlyReader(i))
      return cx.nodes.create(
          "Gemm", {product.input(0), product.input(1), cx.op.input(1 - i)});
  }
  return {};
}

/// The rows become columns.
static bool isMatrixTranspose(const CleanUpContext &cx, Operator op) {
  auto order = op.getInts("perm");
  return order ? ArrayRef<int64_t>(*order) == ArrayRef<int64_t>{1, 0}
               : hasRank(cx, op.input(0), 2);
}

Value patterns::matchTransposeGemm(const CleanUpContext &cx) {
  if (!cx.op.is("Gemm") || !cx.nodes.sinceOf("Gemm") ||
      !isFloat(cx.typeOf(cx.op->getResult(0))))
    return {};
  for (unsigned i : {0u, 1u}) {
    // A constant folds with its Transpose.
    Operator turned = cx.constant(i) ? Operator() : cx.producer(i, "Transpose");
    if (!turned || !isMatrixTranspose(cx, turned) || !cx.isOnlyReader(i))
      continue;
    StringRef name = i == 0 ? "transA" : "transB";
    NamedAttrList attributes(cx.op->getAttrs());
    NamedAttribute flag =
        cx.nodes.attribute(name, int64_t(cx.op.getInt(name, 0) == 0 ? 1 : 0));
    attributes.set(flag.getName(), flag.getValue());
    SmallVector<Value, 3> inputs(cx.op->getOperands());
    inputs[i] = turned.input(0);
    return cx.nodes.create("Gemm", inputs, attributes.getAttrs());
  }
  return {};
}
