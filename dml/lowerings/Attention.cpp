//===- Attention.cpp - Lowering of onnx.Attention ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop over batches and heads, helper attention: rows of Q, K and V are those
// of one head after the other. The past stands before K and V. Causality and
// windows are a band that is added to the mask; so are counts of valid keys.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Tensors as [batch, heads, sequence, size], rows of `size` values.
struct Heads {
  View view;
  Shape dims;
};

struct AttentionInputs {
  Heads q, k, v;
  Expr mask;
  int64_t maskBatch = 0, maskHead = 0; ///< how many blocks of rows they move
};

} // namespace

static View headRows(LoweringContext &cx, const View &view, const Shape &dims) {
  return cx.splitAt(view, dims, 3);
}

static Heads headsOf(LoweringContext &cx, unsigned input,
                     llvm::StringRef attribute) {
  const Shape &dims = cx.input(input).dims;
  View natural = cx.natural(input);
  if (dims.size() == 4)
    return {headRows(cx, natural, dims), dims};
  int64_t heads = cx.op().getInt(attribute, 1);
  Moved moved = transposed(
      cx, natural, {dims[0], dims[1], heads, dims[2] / heads}, {0, 2, 1, 3});
  return {headRows(cx, moved.view, moved.dims), moved.dims};
}

/// x behind the past, which is input number `input`.
static void appendToPast(LoweringContext &cx, unsigned input, unsigned output,
                         Heads &x) {
  if (cx.hasInput(input)) {
    const Shape &past = cx.input(input).dims;
    View before = cx.view(input, 2), after = cx.splitAt(x.view, x.dims, 2);
    x.dims[2] += past[2];
    x.view = {call("cbind", {before.expr, after.expr}),
              before.rows,
              {x.dims[2] * x.dims[3]}};
  }
  x.view = cx.local("heads", headRows(cx, x.view, x.dims));
  if (cx.isUsed(output))
    cx.define(output, x.view);
}

/// Blocks of [queries, keys] biases.
static void readMask(LoweringContext &cx, AttentionInputs &a) {
  int64_t queries = a.q.dims[2], keys = a.k.dims[2];
  if (!cx.hasInput(3)) {
    a.mask = cx.local("mask", cx.filled(0, {queries}, {keys}));
    return;
  }
  Operand mask = operandOf(cx, 3);
  mask.dims.insert(mask.dims.begin(), 4 - mask.dims.size(), 1);
  int64_t given = mask.dims[3];
  bool isShort = cx.op().since() >= 24 && given < keys;
  Shape dims{mask.dims[0], mask.dims[1], queries, isShort ? given : keys};
  View all = headRows(cx, expandTo(cx, mask, dims), dims);
  if (cx.input(3).type == DataType::Bool)
    all.expr = choice(cx.local("seen", all.expr), 0, -unbounded);
  if (isShort)
    all.expr = call(
        "cbind", {all.expr, cx.filled(-unbounded, all.rows, {keys - given})});
  a.mask = cx.local("mask", all.expr);
  a.maskHead = dims[1] == 1 ? 0 : 1;
  a.maskBatch = dims[0] == 1 ? 0 : dims[1];
}

/// The arguments of helper attention after those that are matrices of heads.
static std::vector<Argument>
sharedArguments(LoweringContext &cx, const AttentionInputs &a, int64_t past) {
  bool causal = cx.op().getInt("is_causal", 0) != 0, counted = cx.hasInput(6);
  auto bound = [&](llvm::StringRef attribute) {
    int64_t size = cx.op().getInt(attribute, -1);
    return size < 0 ? unbounded : double(size);
  };
  double behind = bound("left_window_size"),
         ahead = causal ? 0 : bound("right_window_size");
  bool banded = counted || behind < unbounded || ahead < unbounded;
  int64_t keys = a.k.dims[2];
  Expr valid =
      counted ? cx.matrix(6)
              : cx.local("valid", cx.filled(keys, {}, sizeOf({a.q.dims[0]})));
  double size = a.q.dims[3];
  double scale = cx.op().getFloat("scale", float(1 / std::sqrt(size)));
  if (!cx.op().has("scale"))
    scale = 1 / std::sqrt(size);
  return {a.mask,
          valid,
          cx.expr(sizeOf({a.q.dims[0]})),
          a.q.dims[1],
          a.k.dims[1],
          a.q.dims[2],
          keys,
          a.maskBatch,
          a.maskHead,
          int64_t(banded),
          counted ? -1 : past,
          behind,
          ahead,
          scale,
          double(cx.op().getFloat("softcap", 0))};
}

static Lowered checkHeads(LoweringContext &cx, const Heads &q, const Heads &k) {
  int64_t precision = cx.op().getInt("softmax_precision", 1);
  if ((precision == 10 || precision == 16) &&
      cx.input(0).type != DataType::Float16)
    return Lowered::refused("softmax_precision asks for rounding");
  for (const Shape *dims : {&q.dims, &k.dims})
    for (size_t i = 1; i < dims->size(); ++i)
      if ((*dims)[i] == batchDim)
        return Lowered::refusedBatch(
            "the free batch size is not a batch of heads");
  if (k.dims[1] == 0 || q.dims[1] % k.dims[1] != 0)
    return Lowered::refused("the heads of K do not divide those of Q");
  return Lowered::done();
}

static Lowered lowerAttention(LoweringContext &cx) {
  AttentionInputs a{headsOf(cx, 0, "q_num_heads"),
                    headsOf(cx, 1, "kv_num_heads"),
                    headsOf(cx, 2, "kv_num_heads"),
                    {}};
  if (Lowered wrong = checkHeads(cx, a.q, a.k); !wrong.isDone())
    return wrong;
  int64_t past = cx.hasInput(4) ? cx.input(4).dims[2] : 0;
  a.q.view = cx.local("heads", a.q.view);
  appendToPast(cx, 4, 1, a.k);
  appendToPast(cx, 5, 2, a.v);
  readMask(cx, a);
  std::vector<Argument> shared = sharedArguments(cx, a, past);

  std::vector<Argument> arguments{a.q.view.expr, a.k.view.expr, a.v.view.expr};
  llvm::append_range(arguments, shared);
  Shape dims{a.q.dims[0], a.q.dims[1], a.q.dims[2], a.v.dims[3]};
  View y{cx.helper("attention", arguments), a.q.view.rows, {a.v.dims[3]}};
  if (cx.input(0).rank() == 3)
    y = transposed(cx, cx.local("seen", y), dims, {0, 2, 1, 3}).view;
  cx.define(0, y);
  if (cx.isUsed(3)) {
    arguments = {a.q.view.expr, a.k.view.expr};
    llvm::append_range(arguments, shared);
    arguments.push_back(cx.op().getInt("qk_matmul_output_mode", 0));
    cx.define(3, View{cx.helper("attention_scores", arguments),
                      a.q.view.rows,
                      {a.k.dims[2]}});
  }
  return Lowered::done();
}

namespace onnxfold::dml {
void registerAttentionLowering(LoweringRegistry &registry) {
  registry.add("Attention", {23, 24, 25}, lowerAttention);
}
} // namespace onnxfold::dml
