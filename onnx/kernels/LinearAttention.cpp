//===- LinearAttention.cpp - Constant kernel of onnx.LinearAttention ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A recurrence over tokens, for each batch and head of k and v, on a state S
// of d_k rows and d_v columns:
//
//   linear   S += k v'                gated         S = exp(g) S + k v'
//   delta    S += beta k (v - S' k)'  gated_delta   S = exp(g) S, then as delta
//
// and o = scale S' q for each head of q that shares the state. Spec: onnx
// LinearAttention, version 27. Direct: S is kept in double, and both results
// are rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

struct Sizes {
  int64_t batch, tokens, heads, sharedHeads, keySize, valueSize;

  int64_t group() const { return heads / sharedHeads; }
  Shape state() const { return {batch, sharedHeads, keySize, valueSize}; }
  Shape output() const {
    return {batch, sharedHeads, tokens, group(), valueSize};
  }
};

/// The operands in f64, [batch, sharedHeads, tokens, ...]; no elements where an
/// input is not used. `factors` are exp(decay).
struct Operands {
  ElementsArray<double> q, k, v, factors, rates;
  double scale;

  void run(const Sizes &sizes, int64_t head, double *state, double *out) const;
  /// The outputs and the last state.
  std::pair<Elements, Elements> runAll(const Sizes &sizes,
                                       const Elements &past) const;
};

} // namespace

/// One head of k and v of one batch, by its number.
void Operands::run(const Sizes &sizes, int64_t head, double *state,
                   double *out) const {
  int64_t rows = sizes.keySize, columns = sizes.valueSize;
  std::vector<double> change(columns);
  for (int64_t t = head * sizes.tokens; t < (head + 1) * sizes.tokens; ++t) {
    const double *key = k.data() + t * rows;
    std::copy_n(v.data() + t * columns, columns, change.data());
    if (factors.size() != 0)
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          state[i * columns + j] *= factors[t * rows + i];
    if (rates.size() != 0) {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          change[j] -= state[i * columns + j] * key[i];
      for (double &c : change)
        c *= rates[t];
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        state[i * columns + j] += key[i] * change[j];
    for (int64_t g = t * sizes.group(); g < (t + 1) * sizes.group(); ++g) {
      double *y = out + g * columns;
      std::fill_n(y, columns, 0.0);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          y[j] += q[g * rows + i] * state[i * columns + j];
      for (int64_t j = 0; j < columns; ++j)
        y[j] *= scale;
    }
  }
}

std::pair<Elements, Elements> Operands::runAll(const Sizes &sizes,
                                               const Elements &past) const {
  using Doubles = llvm::MutableArrayRef<double>;
  Elements state;
  Elements output = Elements::build<double>(sizes.output(), [&](Doubles out) {
    state = Elements::build<double>(sizes.state(), [&](Doubles states) {
      if (states.empty())
        return;
      past.read(states.data());
      int64_t size = sizes.keySize * sizes.valueSize;
      parallelFor(sizes.batch * sizes.sharedHeads, 1,
                  [&](int64_t begin, int64_t end) {
                    for (int64_t head = begin; head < end; ++head)
                      run(sizes, head, states.data() + head * size, out.data());
                  });
    });
  });
  return {output, state};
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static Reason readSizes(FoldContext &cx, Sizes &sizes) {
  const Elements &q = cx.input(0), &k = cx.input(1), &v = cx.input(2);
  int64_t heads = cx.integer("q_num_heads").value_or(0);
  int64_t sharedHeads = cx.integer("kv_num_heads").value_or(0);
  if (heads <= 0 || sharedHeads <= 0 || heads % sharedHeads != 0)
    return invalid("attributes 'q_num_heads' and 'kv_num_heads' are " +
                   llvm::Twine(heads) + " and " + llvm::Twine(sharedHeads));
  bool fits = q.rank() == 3 && k.rank() == 3 && v.rank() == 3 &&
              q.dim(2) % heads == 0 && v.dim(2) % sharedHeads == 0 &&
              q.dim(2) > 0 && k.type() == q.type() && v.type() == q.type();
  if (fits)
    sizes = {q.dim(0),    q.dim(1),         heads,
             sharedHeads, q.dim(2) / heads, v.dim(2) / sharedHeads};
  fits = fits && checkedNumElements({sizes.heads, sizes.valueSize});
  if (!fits || v.shape().take_front(2) != q.shape().take_front(2) ||
      k.shape() !=
          ShapeRef({sizes.batch, sizes.tokens, sharedHeads * sizes.keySize}))
    return invalid("query, key and value of shapes " + toString(q.shape()) +
                   ", " + toString(k.shape()) + " and " + toString(v.shape()) +
                   " do not go together");
  if (cx.hasInput(3) && cx.input(3).shape() != ShapeRef(sizes.state()))
    return invalid("the past state has shape " + toString(cx.input(3).shape()) +
                   ", expected " + toString(sizes.state()));
  for (const Shape &shape : {sizes.output(), sizes.state()})
    if (auto limit = cx.checkResult(DataType::Float64, shape))
      return limit;
  return cx.checkWork(double(k.size()) * double(sizes.valueSize) *
                      double(3 + sizes.group()));
}

/// Input decay or beta, if `wanted`, as [batch, sharedHeads, tokens, size] of
/// f64 (there may be one for each head, of beta also one for all); no elements
/// if it is not.
static Reason readGate(FoldContext &cx, unsigned input, bool wanted,
                       const Sizes &sizes, int64_t size, Elements &gate) {
  gate = Elements::fromValues<double>({0}, {});
  if (cx.hasInput(input) != wanted)
    return invalid("input #" + llvm::Twine(input) + " is " +
                   (wanted ? "missing" : "there") +
                   ", attribute 'update_rule' is '" +
                   cx.string("update_rule").value_or("gated_delta") + "'");
  if (!wanted)
    return {};
  const Elements &x = cx.input(input);
  Shape whole = {sizes.batch, sizes.tokens, sizes.sharedHeads, size};
  Shape given = {sizes.batch, sizes.tokens, sizes.sharedHeads, 1};
  if (x.rank() == 3 && x.dim(2) == sizes.sharedHeads * size)
    given = whole;
  else if (x.rank() == 3 && x.dim(2) == 1 && input == 5)
    given[2] = 1;
  if (x.shape() != ShapeRef({given[0], given[1], given[2] * given[3]}))
    return invalid("input #" + llvm::Twine(input) + " has shape " +
                   toString(x.shape()) + ", expected " +
                   toString({whole[0], whole[1], whole[2] * whole[3]}) +
                   " or one for each head");
  gate = x.unrounded();
  if (input == 4)
    gate = mapWide(gate, wide::exp);
  gate = gate.reshape(given).expand(whole).transpose({0, 2, 1, 3});
  return {};
}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

static FoldResult foldLinearAttention(FoldContext &cx) {
  std::string rule = cx.string("update_rule").value_or("gated_delta");
  bool gated = rule == "gated" || rule == "gated_delta";
  bool delta = rule == "delta" || rule == "gated_delta";
  if (!gated && !delta && rule != "linear")
    return invalid("attribute 'update_rule' is '" + rule + "'");
  Sizes sizes;
  if (auto wrong = readSizes(cx, sizes))
    return wrong;
  Elements factors, rates;
  if (auto wrong = readGate(cx, 4, gated, sizes, sizes.keySize, factors))
    return wrong;
  if (auto wrong = readGate(cx, 5, delta, sizes, 1, rates))
    return wrong;
  double scale = cx.real("scale").value_or(0);
  if (scale == 0)
    scale = 1 / std::sqrt(double(sizes.keySize));
  auto byHead = [&](unsigned input, int64_t group, int64_t size) {
    return cx.input(input)
        .unrounded()
        .reshape({sizes.batch, sizes.tokens, sizes.sharedHeads, group * size})
        .transpose({0, 2, 1, 3});
  };
  Operands operands = {
      ElementsArray<double>(byHead(0, sizes.group(), sizes.keySize)),
      ElementsArray<double>(byHead(1, 1, sizes.keySize)),
      ElementsArray<double>(byHead(2, 1, sizes.valueSize)),
      ElementsArray<double>(factors),
      ElementsArray<double>(rates),
      scale};
  Elements past = cx.hasInput(3) ? cx.input(3).unrounded()
                                 : Elements::splat<double>(sizes.state(), 0);
  auto [output, state] = operands.runAll(sizes, past);
  output =
      output.transpose({0, 2, 1, 3, 4})
          .reshape({sizes.batch, sizes.tokens, sizes.heads * sizes.valueSize});
  DataType type = cx.input(0).type();
  DataType stateType = cx.hasInput(3) ? cx.input(3).type() : type;
  return llvm::SmallVector<Elements, 1>{roundedResult(cx, output, type),
                                        roundedResult(cx, state, stateType)};
}

namespace onnxfold {
void registerLinearAttention(KernelRegistry &registry) {
  registry.add("LinearAttention", {27}, foldLinearAttention);
}
} // namespace onnxfold
