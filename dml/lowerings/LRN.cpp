//===- LRN.cpp - Lowering of onnx.LRN ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x / (bias + alpha / size * s)^beta, where s is the sum of squares over `size`
// channels, the element's own in the middle.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLRN(LoweringContext &cx) {
  const Shape &dims = cx.input(0).dims;
  if (dims.size() < 2)
    return Lowered::refused("the input has no channels");
  // Images of one channel, whose rows are channels.
  int64_t inner = sizeOf(llvm::ArrayRef<int64_t>(dims).drop_front(2)).count;
  WindowAxis axis, whole;
  axis.in = axis.out = dims[1];
  axis.kernel = cx.op().getInt("size", 1);
  axis.begin = (axis.kernel - 1) / 2;
  whole.in = whole.out = inner;
  Moved squares{cx.natural(0), {dims[0], 1, dims[1], inner}};
  squares.view.expr = cx.local("squares", power(cx.matrix(0), 2));
  View sums = reducedByAxis(cx, "sum_windows", squares, {{axis, whole}}, 0);
  double size = double(axis.kernel), alpha = cx.op().getFloat("alpha", 1e-4f),
         beta = cx.op().getFloat("beta", 0.75f),
         bias = cx.op().getFloat("bias", 1.0f);
  auto [rows, columns] = naturalSizes(dims);
  sums = cx.reshape(sums, rows, columns);
  cx.define(0, cx.matrix(0) / power(sums.expr * (alpha / size) + bias, beta));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerLRNLowering(LoweringRegistry &registry) {
  registry.add("LRN", {1, 13}, lowerLRN);
}
} // namespace onnxfold::dml
