//===- LinearAttention.cpp - Lowering of onnx.LinearAttention ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The recurrence along time for each head of keys and values, helper
// linear_attention.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerLinearAttention(LoweringContext &cx) {
  const Shape &q = cx.input(0).dims, &v = cx.input(2).dims;
  int64_t heads = cx.op().getInt("q_num_heads", 0),
          shared = cx.op().getInt("kv_num_heads", 0);
  if (heads < 1 || shared < 1 || heads % shared != 0 || q[1] == batchDim)
    return Lowered::refused("the heads or the number of steps are not known");
  int64_t keySize = q[2] / heads, valueSize = v[2] / shared, steps = q[1];
  llvm::StringRef rule = cx.op().getString("update_rule", "gated_delta");
  bool isGated = rule.starts_with("gated"), isDelta = rule.ends_with("delta");
  if ((isGated && !cx.hasInput(4)) || (isDelta && !cx.hasInput(5)))
    return Lowered::refused("decay or beta is missing");
  double scale = cx.op().getFloat("scale", 0);
  if (scale == 0)
    scale = 1 / std::sqrt(double(keySize));
  Size batch = sizeOf({q[0]}), states{batch.count * shared, batch.perBatch};
  Expr none = cx.filled(0, {}, {});
  int64_t gates = 0, rates = 0;
  if (isGated)
    gates = cx.input(4).dims[2] == shared && keySize != 1 ? 1 : 2;
  if (isDelta)
    rates = cx.input(5).dims[2] == 1 ? 1 : 2;
  View past = cx.hasInput(3) ? cx.view(3, 2)
                             : View{cx.filled(0, states, {keySize * valueSize}),
                                    states,
                                    {keySize * valueSize}};
  auto results = cx.locals(
      {"seen", "state"},
      cx.helper("linear_attention",
                {cx.view(0, 2).expr, cx.view(1, 2).expr, cx.view(2, 2).expr,
                 past.expr, isGated ? cx.view(4, 2).expr : none,
                 isDelta ? cx.view(5, 2).expr : none, cx.expr(batch), steps,
                 heads, shared, keySize, valueSize, gates, rates, scale}));
  Size rows{batch.count * steps, batch.perBatch};
  cx.define(0, View{results[0], rows, {heads * valueSize}});
  if (cx.isUsed(1))
    cx.define(1, View{results[1], states, {keySize * valueSize}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerLinearAttentionLowering(LoweringRegistry &registry) {
  registry.add("LinearAttention", {27}, lowerLinearAttention);
}
} // namespace onnxfold::dml
