//===- MatMul.cpp - Lowering of onnx.MatMul ------------------------------===//
//
// Matrices, or batches of them that broadcast, in a loop.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Both expanded to the batches of the result.
static View batched(LoweringContext &cx, const Operand &a, const Operand &b) {
  int64_t rows = a.dims[a.dims.size() - 2], inner = a.dims.back(),
          columns = b.dims.back();
  size_t rank = std::max(a.dims.size(), b.dims.size());
  Shape batch(rank - 2, 1);
  for (const Operand *one : {&a, &b})
    for (size_t i = 0; i + 2 < one->dims.size(); ++i)
      if (int64_t d = one->dims[i]; d != 1)
        batch[i + rank - one->dims.size()] = d;
  Shape left = batch, right = batch;
  left.append({rows, inner});
  right.append({inner, columns});
  Size count = sizeOf(batch);
  Expr product =
      cx.helper("matmul_batched",
                {expandTo(cx, a, left).expr, expandTo(cx, b, right).expr,
                 cx.expr(count), rows, inner, columns});
  return {product, {count.count * rows, count.perBatch}, {columns}};
}

static Lowered lowerMatMul(LoweringContext &cx) {
  Operand a = operandOf(cx, 0), b = operandOf(cx, 1);
  a.view = cx.natural(0);
  b.view = cx.natural(1);
  a.number = b.number = std::nullopt;
  if (a.dims.size() == 1)
    a.dims.insert(a.dims.begin(), 1);
  if (b.dims.size() == 1)
    b.dims.push_back(1);
  int64_t inner = a.dims.back(), columns = b.dims.back();
  if (inner == batchDim || columns == batchDim ||
      b.dims[b.dims.size() - 2] == batchDim)
    return Lowered::refused("multiplies along the free batch size",
                            "fix it with --dim");
  View product;
  if (b.dims.size() == 2) {
    View left = cx.splitAt(a.view, a.dims, a.dims.size() - 1);
    product = {left.expr.times(cx.reshape(b.view, {inner}, {columns}).expr),
               left.rows,
               {columns}};
  } else {
    product = batched(cx, a, b);
  }
  cx.define(0, View{wrapped(cx, product.expr, cx.result().type), product.rows,
                    product.columns});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerMatMulLowering(LoweringRegistry &registry) {
  registry.add("MatMul", {1, 9, 13}, lowerMatMul);
}
} // namespace onnxfold::dml
