//===- MatMuls.cpp - Products of matrices and what is added ---------------===//

#include "onnxfold/onnx/transforms/CleanUpPatterns.h"

using namespace onnxfold;
using namespace mlir;

static bool hasRank(const CleanUpContext &cx, Value value, size_t rank) {
  const auto &shape = cx.facts().fact(value).shape;
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
    if (addend && addend.rank() <= 2 && cx.isLike(cx.op.input(i)) &&
        hasRank(cx, product.input(0), 2) && hasRank(cx, product.input(1), 2) &&
        cx.isOnlyReader(i))
      return cx.nodes.create(
          "Gemm", {product.input(0), product.input(1), cx.op.input(1 - i)});
  }
  return {};
}
