//===- Trilu.cpp - Lowering of onnx.Trilu --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The triangle of each matrix, the rest zeros. Without products: 0 * Inf is NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerTrilu(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  int64_t h = x.dims[x.rank() - 2], w = x.dims.back();
  if (h == batchDim)
    return Lowered::refusedBatch("cuts along the free batch size");
  Size batches = sizeOf(llvm::ArrayRef<int64_t>(x.dims).drop_back(2));
  Expr k = cx.hasInput(1) ? cx.scalar(1) : Expr(0);
  Expr y = cx.helper("triangle", {cx.matrix(0), cx.expr(batches), h, w, k,
                                  cx.op().getInt("upper", 1)});
  cx.define(0, View{y, {batches.count * h, batches.perBatch}, {w}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerTriluLowering(LoweringRegistry &registry) {
  registry.add("Trilu", {14}, lowerTrilu);
}
} // namespace onnxfold::dml
