//===- ReverseSequence.cpp - Lowering of onnx.ReverseSequence ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows that are taken from the end of each sequence.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReverseSequence(LoweringContext &cx) {
  const Shape &x = cx.input(0).dims;
  bool timeFirst = cx.op().getInt("time_axis", 0) == 0;
  if (timeFirst && !cx.input(0).isStatic())
    return Lowered::refusedBatch("reverses along the free batch size");
  Shape perm(x.size());
  std::iota(perm.begin(), perm.end(), 0);
  if (timeFirst)
    std::swap(perm[0], perm[1]);
  Moved moved = transposed(cx, cx.natural(0), x, perm);
  llvm::ArrayRef<int64_t> dims(moved.dims);
  Size batch = sizeOf(dims.take_front()), inner = sizeOf(dims.drop_front(2));
  Expr lengths = cx.reshape(cx.natural(1), batch, {}).expr;
  Expr y = cx.helper("reverse_rows", {moved.view.expr, lengths, cx.expr(batch),
                                      dims[1], cx.expr(inner)});
  View view{y, {batch.count * dims[1], batch.perBatch}, inner};
  cx.define(0, transposed(cx, cx.local("turned", view), moved.dims, perm).view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerReverseSequenceLowering(LoweringRegistry &registry) {
  registry.add("ReverseSequence", {10}, lowerReverseSequence);
}
} // namespace onnxfold::dml
