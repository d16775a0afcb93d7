//===- FlexAttention.cpp - Lowering of onnx.preview.FlexAttention --------===//
// SPDX-License-Identifier: Apache-2.0
//
// As Attention, without masks, past or changes of scores and probabilities by
// subgraphs.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerFlexAttention(LoweringContext &cx) {
  const Shape &q = cx.input(0).dims, &k = cx.input(1).dims,
              &v = cx.input(2).dims;
  if (cx.op().numGraphs() != 0)
    return Lowered::refused("score_mod and prob_mod are not there yet");
  if (llvm::is_contained(llvm::ArrayRef<int64_t>(k).drop_front(), batchDim) ||
      llvm::is_contained(llvm::ArrayRef<int64_t>(q).drop_front(), batchDim))
    return Lowered::refusedBatch("the free batch size is not a batch of heads");
  int64_t precision = cx.op().getInt("softmax_precision", 1);
  if (precision == 10 || precision == 16 || q[1] % k[1] != 0)
    return Lowered::refused("softmax_precision asks for rounding, or the heads "
                            "of K do not divide those of Q");
  double scale = 1 / std::sqrt(double(q[3]));
  if (auto given = cx.op().getFloat("scale"))
    scale = *given;
  Size batch = sizeOf({q[0]});
  double none = std::numeric_limits<double>::infinity();
  Expr mask = cx.local("mask", cx.filled(0, {q[2]}, {k[2]})),
       valid = cx.local("valid", cx.filled(double(k[2]), {}, batch));
  View heads = cx.view(0, 3);
  Expr y = cx.helper("attention",
                     {heads.expr, cx.view(1, 3).expr, cx.view(2, 3).expr, mask,
                      valid, cx.expr(batch), q[1], k[1], q[2], k[2], 0, 0, 0, 0,
                      none, none, scale, 0});
  cx.define(0, View{y, heads.rows, {v[3]}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerFlexAttentionLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.preview.FlexAttention", {1}, lowerFlexAttention);
}
} // namespace onnxfold::dml
