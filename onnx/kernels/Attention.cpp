//===- Attention.cpp - Constant kernel of onnx.Attention ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = softmax(softcap(scale * q * k') + bias) * v for each head, where heads of
// k and v may serve several heads of q, and follow a cache of the past. The
// bias is 0 and -inf where a key is (not) to be seen, by a mask, causality, a
// window and padding, or the numbers of a mask. A query that sees no key has
// only zeros. Spec: onnx Attention, versions 23, 24 (nonpad_kv_seqlen, short
// masks), 25 (windows).
// Direct: in double, each result rounded once, where the function body rounds
// after each step.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/AttentionKernels.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();

namespace {

/// Q, K and V as [batch, heads, sequence, size], K and V behind their past.
struct Operands {
  Elements q, k, v;
  int64_t past = 0; // keys
};

} // namespace

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Heads of an input, which three-dimensional ones need an attribute for, and
/// four-dimensional ones have themselves (and since version 25 only there).
static Reason separateHeads(FoldContext &cx, Elements &x,
                            const char *attribute) {
  std::optional<int64_t> heads = cx.integer(attribute);
  bool packed = x.rank() == 3;
  bool fits = packed ? heads && *heads > 0 && x.dim(2) % *heads == 0
                     : !heads || (cx.version() < 25 && *heads == x.dim(1));
  if (!fits)
    return invalid("attribute '" + llvm::Twine(attribute) + "' is " +
                   (heads ? std::to_string(*heads) : "missing") +
                   ", an input has shape " + toString(x.shape()));
  if (packed)
    x = splitHeads(x, *heads);
  return {};
}

/// The past (an input that may be left out) and x behind it.
static Reason appendToPast(FoldContext &cx, unsigned input, Elements &x) {
  const Elements &past = cx.input(input);
  int64_t total;
  if (past.type() != x.type() || past.rank() != 4 ||
      llvm::AddOverflow(past.dim(2), x.dim(2), total) ||
      past.shape().take_front(2) != x.shape().take_front(2) ||
      past.dim(3) != x.dim(3))
    return invalid("the past of input #" + llvm::Twine(input) + " has shape " +
                   toString(past.shape()) + " and type " + name(past.type()) +
                   ", what follows it " + toString(x.shape()) + " and " +
                   name(x.type()));
  if (auto limit =
          cx.checkResult(x.type(), {x.dim(0), x.dim(1), total, x.dim(3)}))
    return limit;
  x = concat({past, x}, 2);
  return {};
}

static Reason readOperands(FoldContext &cx, Operands &o) {
  o = {cx.input(0), cx.input(1), cx.input(2)};
  if (o.q.type() != o.k.type())
    return invalid("Q has type " + name(o.q.type()) + ", K " +
                   name(o.k.type()));
  if ((o.q.rank() != 3 && o.q.rank() != 4) || o.k.rank() != o.q.rank() ||
      o.v.rank() != o.q.rank())
    return invalid("Q, K and V have ranks " + llvm::Twine(o.q.rank()) + ", " +
                   llvm::Twine(o.k.rank()) + " and " + llvm::Twine(o.v.rank()) +
                   ", expected 3 or 4 each");
  if (Reason wrong = separateHeads(cx, o.q, "q_num_heads"))
    return wrong;
  for (Elements *x : {&o.k, &o.v})
    if (Reason wrong = separateHeads(cx, *x, "kv_num_heads"))
      return wrong;
  if (cx.hasInput(4) != cx.hasInput(5))
    return invalid("only one of past_key and past_value is there");
  if (!cx.hasInput(4))
    return {};
  int64_t keys = o.k.dim(2);
  if (Reason wrong = appendToPast(cx, 4, o.k))
    return wrong;
  o.past = o.k.dim(2) - keys;
  return appendToPast(cx, 5, o.v);
}

/// A reason if the counts of valid keys (since version 24) are none.
static Reason checkValidKeys(FoldContext &cx, const AttentionShape &shape) {
  if (!cx.hasInput(6))
    return {};
  if (cx.hasInput(4) || cx.needsResult(1) || cx.needsResult(2))
    return invalid(
        "nonpad_kv_seqlen is given with past or present, expected neither");
  const Elements &valid = cx.input(6);
  if (valid.type() != DataType::Int64 ||
      valid.shape() != ShapeRef({shape.batch}))
    return invalid("nonpad_kv_seqlen is " + name(valid.type()) +
                   toString(valid.shape()) + ", expected i64" +
                   toString({shape.batch}));
  int64_t most = shape.keys;
  if (cx.hasInput(3) && cx.input(3).rank() > 0)
    most = std::min(most, cx.input(3).shape().back());
  for (int64_t count : cx.intsOf(6))
    if (count < 0 || count > most)
      return invalid("nonpad_kv_seqlen contains " + llvm::Twine(count) +
                     ", there are " + llvm::Twine(most) + " keys");
  return {};
}

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

/// The sum, where one may be null.
static Elements plus(const Elements &x, const Elements &y) {
  if (!x || !y)
    return x ? x : y;
  return zipAs<double, double, double>(
      x, y, [](double v, double w) { return v + w; });
}

/// Input attn_mask in f64, as long as there are keys: what a short one (since
/// version 24) does not mention is not seen.
static Reason readMask(FoldContext &cx, DataType type,
                       const AttentionShape &shape, Elements &bias) {
  if (!cx.hasInput(3))
    return {};
  const Elements &mask = cx.input(3);
  if (mask.type() == DataType::Bool)
    bias = select(mask, Elements::splat<double>({}, 0),
                  Elements::splat<double>({}, -infinity));
  else if (typeClass(mask.type()) == TypeClass::Float || isInteger(mask.type()))
    bias = mask.type() == type ? mask.unrounded()
                               : cast(cast(mask, type), DataType::Float64);
  else
    return notFolded(ReasonCode::UnsupportedType,
                     "the mask has type " + name(mask.type()));
  int64_t last = mask.rank() - 1;
  if (cx.version() >= 24 && last >= 0 && mask.dim(last) < shape.keys) {
    Shape none(mask.rank(), 0), missing = none;
    missing[last] = shape.keys - mask.dim(last);
    Shape padded(mask.shape());
    padded[last] = shape.keys;
    if (auto limit = cx.checkResult(DataType::Float64, padded))
      return limit;
    bias = pad(bias, none, missing, PadMode::Constant,
               Elements::splat<double>({}, -infinity));
  }
  Shape scores = shape.scores();
  if (broadcastShapes(bias.shape(), scores) != scores)
    return invalid("the mask has shape " + toString(mask.shape()) +
                   ", which does not broadcast to " + toString(scores));
  return {};
}

/// 0 where a key is not too far behind or before its query, -inf elsewhere;
/// null if all are near enough. `valid`: [batch, 1, 1, 1], or null.
static Elements bandOf(FoldContext &cx, const Elements &valid, int64_t past,
                       const AttentionShape &shape) {
  bool causal = cx.integer("is_causal").value_or(0) != 0;
  auto bound = [&](const char *attribute) {
    int64_t size = cx.integer(attribute).value_or(-1);
    return cx.version() < 25 || size < 0 ? unbounded : size;
  };
  int64_t behind = bound("left_window_size");
  int64_t ahead = causal ? 0 : bound("right_window_size");
  if (behind == unbounded && ahead == unbounded)
    return {};
  // The queries stand behind the past, or at the end of the valid keys.
  int64_t first = valid ? -shape.queries : past;
  Elements positions = mapAs<int64_t, int64_t>(
      iota({shape.queries, 1}, 0), [first](int64_t i) { return i + first; });
  if (valid)
    positions = zipAs<int64_t, int64_t, int64_t>(
        positions, valid, [](int64_t i, int64_t count) { return i + count; });
  return zipAs<double, int64_t, int64_t>(
      positions, iota({shape.keys}, 0), [=](int64_t query, int64_t key) {
        return query - key <= behind && key - query <= ahead ? 0 : -infinity;
      });
}

/// 0 for valid keys, -inf for padding; null if there is none.
static Elements paddingOf(const Elements &valid, const AttentionShape &shape) {
  if (!valid)
    return {};
  return zipAs<double, int64_t, int64_t>(
      valid, iota({shape.keys}, 0),
      [](int64_t count, int64_t key) { return key < count ? 0 : -infinity; });
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static Reason checkAttributes(FoldContext &cx) {
  for (const char *attribute : {"left_window_size", "right_window_size"})
    if (int64_t size = cx.integer(attribute).value_or(-1); size < -1)
      return invalid("attribute '" + llvm::Twine(attribute) + "' is " +
                     llvm::Twine(size) + ", expected -1 or more");
  int64_t mode = cx.integer("qk_matmul_output_mode").value_or(0);
  if (mode < 0 || mode > 3)
    return invalid("attribute 'qk_matmul_output_mode' is " + llvm::Twine(mode) +
                   ", expected 0 to 3");
  return checkSoftmaxPrecision(cx);
}

static Elements softcapped(const Elements &scores, double cap) {
  if (cap == 0)
    return scores;
  Elements part =
      mapAs<double, double>(scores, [cap](double v) { return v / cap; });
  return mapAs<double, double>(mapWide(part, wide::tanh),
                               [cap](double v) { return v * cap; });
}

/// Probabilities of a query that sees no key would be NaN.
static Elements withoutBlocked(const Elements &probabilities,
                               const Elements &bias) {
  if (!bias || bias.rank() == 0)
    return probabilities;
  Elements best =
      reduce(bias, {bias.rank() - 1}, /*keepDims=*/true, Reduction::Max);
  Elements blocked =
      mapAs<bool, double>(best, [](double v) { return v == -infinity; });
  return select(blocked, Elements::splat<double>({}, 0), probabilities);
}

static FoldResult foldAttention(FoldContext &cx) {
  if (Reason wrong = checkAttributes(cx))
    return wrong;
  Operands o;
  if (Reason wrong = readOperands(cx, o))
    return wrong;
  DataType type = o.q.type();
  ReasonOr<AttentionShape> sizes = attentionShape(cx, o.q, o.k, o.v);
  if (!sizes)
    return sizes.reason();
  const AttentionShape &shape = *sizes;
  if (Reason wrong = checkValidKeys(cx, shape))
    return wrong;
  // The text's formula has the absolute value; the evaluator and ONNX Runtime
  // have no cap.
  if (cx.real("softcap").value_or(0) < 0 && !mustDecide(cx))
    return undefined("attribute 'softcap' is negative, which runtimes take for "
                     "none");
  std::optional<double> scale = attentionScale(cx, shape.size);
  if (!scale)
    return undefined("attribute 'scale' has no square root");
  Elements bias, valid;
  if (Reason wrong = readMask(cx, type, shape, bias))
    return wrong;
  if (cx.hasInput(6))
    valid = cx.input(6).reshape({shape.batch, 1, 1, 1});
  bias = plus(bias, bandOf(cx, valid, o.past, shape));
  bias = plus(bias, paddingOf(valid, shape));

  Elements raw = attentionScores(o.q, o.k, *scale, shape);
  Elements capped = softcapped(raw, cx.real("softcap").value_or(0));
  Elements scores = plus(capped, bias);
  Elements probabilities = withoutBlocked(attentionSoftmax(cx, scores), bias);
  Elements y = attentionValues(probabilities, o.v, shape);
  if (cx.input(0).rank() == 3)
    y = joinHeads(y);

  const Elements *stages[] = {&raw, &capped, &scores, &probabilities};
  int64_t mode = cx.integer("qk_matmul_output_mode").value_or(0);
  return llvm::SmallVector<Elements, 1>{
      roundedResult(cx, y, type), cx.needsResult(1) ? o.k : Elements(),
      cx.needsResult(2) ? o.v : Elements(),
      cx.needsResult(3) ? roundedResult(cx, *stages[mode], type) : Elements()};
}

namespace onnxfold {
void registerAttention(KernelRegistry &registry) {
  registry.add("Attention", {23, 24, 25}, foldAttention);
}
} // namespace onnxfold
