//===- MultiplyAdds.cpp - Multiply-adds of a node -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/MultiplyAdds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>

using namespace onnxfold;
using llvm::StringRef;

/// Nothing if a factor or a summand is not known.
using Count = std::optional<Formula>;

static Count times(const Count &a, const Count &b) {
  return a && b ? Count(*a * *b) : std::nullopt;
}
static Count plus(const Count &a, const Count &b) {
  return a && b ? Count(*a + *b) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// The product of all sizes but the first of weights [M, C/group, k...].
template <unsigned weights> static Count window(const NodeSizes &node) {
  std::optional<Sizes> sizes = node.input(weights);
  if (!sizes || sizes->empty())
    return std::nullopt;
  return product(llvm::ArrayRef(*sizes).drop_front());
}

/// Each element of the result is a sum over the window.
template <unsigned weights> static Count convolution(const NodeSizes &node) {
  return times(node.numOutput(), window<weights>(node));
}

/// Each element of the operand is added to a window of the result.
template <unsigned weights> static Count transposed(const NodeSizes &node) {
  return times(node.numInput(0), window<weights>(node));
}

/// Each element of the result is a sum over the last size of the operand.
template <unsigned left> static Count matMul(const NodeSizes &node) {
  return times(node.numOutput(), node.inputSize(left, -1));
}

template <unsigned left> static Count gemm(const NodeSizes &node) {
  bool isTransposed = node.op.getInt("transA", 0) != 0;
  return times(node.numOutput(), node.inputSize(left, isTransposed ? 0 : 1));
}

/// transA exchanges the last two sizes, transBatchA moves the first one to the
/// place before the last.
static Count fusedMatMul(const NodeSizes &node) {
  if (node.op.getInt("transA", 0) == 0)
    return matMul<0>(node);
  bool movesBatch = node.op.getInt("transBatchA", 0) != 0;
  return times(node.numOutput(), node.inputSize(0, movesBatch ? 0 : -2));
}

/// Weights are packed: the attribute K has their size.
static Count packedMatMul(const NodeSizes &node) {
  std::optional<int64_t> k = node.op.getInt("K");
  return times(node.numOutput(),
               k ? Count(Formula(*k)) : node.inputSize(0, -1));
}

/// W and R have a matrix for each gate and direction; each step multiplies with
/// all of them.
template <unsigned recurrent> static Count recurrence(const NodeSizes &node) {
  Count steps = times(node.inputSize(0, 0), node.inputSize(0, 1));
  return times(steps, plus(node.numInput(1), node.numInput(recurrent)));
}

/// Scores and the weighted sum of values: each element of the queries meets all
/// keys, and so does each of the results.
static Count attended(const NodeSizes &node, const Count &queries,
                      const Count &keys) {
  return times(plus(queries, node.numOutput()), keys);
}

/// ai.onnx: Q, K and V are [b, h, s, d] or [b, s, h * d]; past keys are
/// [b, h, p, d].
static Count attention(const NodeSizes &node) {
  Count keys = node.inputSize(1, -2);
  if (node.op.hasInput(4))
    keys = plus(node.inputSize(4, 2), keys);
  return attended(node, node.numInput(0), keys);
}

/// com.microsoft: inputs [b, s, k] times weights [k, n] give queries, keys and
/// values; the past is [2, b, h, p, d]. A third of them are queries, which have
/// as many elements as the result.
template <unsigned weights, unsigned past>
static Count projectedAttention(const NodeSizes &node) {
  Count rows = times(node.inputSize(0, 0), node.inputSize(0, 1));
  Count keys = node.inputSize(0, 1);
  if (node.op.hasInput(past))
    keys = plus(node.inputSize(past, 3), keys);
  return plus(times(rows, node.numInput(weights)),
              attended(node, node.numOutput(), keys));
}

/// Queries [b, s, h], keys [b, l, h] or [b, n, l, d]; past keys [b, n, p, d].
static Count multiHeadAttention(const NodeSizes &node) {
  std::optional<Sizes> queries = node.input(0), key = node.input(1);
  if (!queries)
    return std::nullopt;
  if (queries->size() == 5) // [b, s, n, 3, d]
    return attended(node, node.numOutput(), (*queries)[1]);
  if (!key)
    return std::nullopt;
  Count keys = key->size() == 3   ? Count((*key)[1])
               : key->size() == 5 ? Count((*key)[1])
                                  : node.inputSize(1, 2);
  constexpr unsigned past = 6;
  if (node.op.hasInput(past))
    keys = plus(node.inputSize(past, 2), keys);
  return attended(node, node.numInput(0), keys);
}

/// The keys are those of the result `present_key`: [b, n, total, d]. Queries may
/// be packed with keys, so the result stands for them.
static Count groupQueryAttention(const NodeSizes &node) {
  return attended(node, node.numOutput(), node.outputSize(1, 2));
}

/// A result for each row, class and coefficient of it.
static Count linearModel(const NodeSizes &node) {
  std::optional<llvm::SmallVector<float>> weights =
      node.op.getFloats("coefficients");
  std::optional<Sizes> x = node.input(0);
  if (!weights || !x || x->empty())
    return std::nullopt;
  Formula rows = x->size() == 1 ? Formula(1) : x->front();
  return rows * Formula(int64_t(weights->size()));
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

/// The axes of a term: "b", "i", "...".
static std::vector<std::string> labelsOf(StringRef term) {
  std::vector<std::string> labels;
  for (; !term.empty(); term = term.drop_front())
    if (term.consume_front("..."))
      return labels.push_back("..."),
             llvm::append_range(labels, labelsOf(term)), labels;
    else if (term.front() != ' ')
      labels.push_back(term.take_front().str());
  return labels;
}

/// Notes the size of each label of a term; that of "..." as an axis counted from
/// its end. False if the rank does not fit.
static bool noteLabels(llvm::ArrayRef<std::string> labels, const Sizes &sizes,
                       llvm::StringMap<Formula> &sizeOf) {
  bool isOpen = llvm::is_contained(labels, "...");
  size_t fixed = labels.size() - isOpen;
  if (sizes.size() < fixed || (!isOpen && sizes.size() != fixed))
    return false;
  size_t axis = 0, rest = sizes.size() - fixed;
  auto note = [&](StringRef label) {
    auto [it, isNew] = sizeOf.try_emplace(label, sizes[axis++]);
    if (it->second.value() == 1) // it is broadcast
      it->second = sizes[axis - 1];
  };
  for (const std::string &label : labels)
    if (label != "...")
      note(label);
    else
      for (size_t i = 0; i != rest; ++i)
        note("." + std::to_string(rest - i));
  return true;
}

/// A product of all operands for each combination of labels: one multiply-add
/// for each operand beyond the first.
static Count einsum(const NodeSizes &node) {
  std::string equation = node.op.getString("equation", "").str();
  StringRef terms = StringRef(equation).split("->").first;
  llvm::SmallVector<StringRef> operands;
  terms.split(operands, ',');
  if (operands.size() != node.op.numInputs())
    return std::nullopt;
  llvm::StringMap<Formula> sizeOf;
  for (auto [i, term] : llvm::enumerate(operands)) {
    std::optional<Sizes> sizes = node.input(i);
    if (!sizes || !noteLabels(labelsOf(term), *sizes, sizeOf))
      return std::nullopt;
  }
  Formula all(int64_t(operands.size()) - 1);
  for (const auto &entry : sizeOf)
    all = all * entry.second;
  return all;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct MacRule {
  StringRef type;
  Count (*count)(const NodeSizes &);
};
} // namespace

static constexpr MacRule standardRules[] = {
    {"Attention", attention},
    {"Conv", convolution<1>},
    {"ConvInteger", convolution<1>},
    {"ConvTranspose", transposed<1>},
    {"CausalConvWithState", convolution<1>},
    {"DeformConv", convolution<1>},
    {"Einsum", einsum},
    {"FlexAttention", attention},
    {"GRU", recurrence<2>},
    {"Gemm", gemm<0>},
    {"LSTM", recurrence<2>},
    {"MatMul", matMul<0>},
    {"MatMulInteger", matMul<0>},
    {"QLinearConv", convolution<3>},
    {"QLinearMatMul", matMul<0>},
    {"RNN", recurrence<2>},
};

static constexpr MacRule classicRules[] = {
    {"LinearClassifier", linearModel},
    {"LinearRegressor", linearModel},
};

static constexpr MacRule microsoftRules[] = {
    {"Attention", projectedAttention<1, 4>},
    {"CausalConvWithState", convolution<1>},
    {"ConvTransposeWithDynamicPads", transposed<1>},
    {"DynamicQuantizeLSTM", recurrence<2>},
    {"DynamicQuantizeMatMul", matMul<0>},
    {"FusedConv", convolution<1>},
    {"FusedGemm", gemm<0>},
    {"FusedMatMul", fusedMatMul},
    {"FusedMatMulActivation", fusedMatMul},
    {"GemmFastGelu", matMul<0>},
    {"GemmFloat8", gemm<0>},
    {"GroupQueryAttention", groupQueryAttention},
    {"MatMulBnb4", packedMatMul},
    {"MatMulFpQ4", packedMatMul},
    {"MatMulInteger16", matMul<0>},
    {"MatMulIntegerToFloat", matMul<0>},
    {"MatMulNBits", packedMatMul},
    {"MultiHeadAttention", multiHeadAttention},
    {"NhwcConv", convolution<1>},
    {"NhwcFusedConv", convolution<1>},
    {"QAttention", projectedAttention<1, 8>},
    {"QGemm", gemm<0>},
    {"QLinearConv", convolution<3>},
    {"QOrderedMatMul", matMul<0>},
    {"TransposeMatMul", fusedMatMul},
};

/// Operators that are sums of products in part, or by some algorithms: there is
/// no one number.
static constexpr StringRef uncounted[] = {
    "DFT", "Det", "LinearAttention", "STFT", "SVMClassifier", "SVMRegressor"};

/// Operators of ONNX Runtime without sums of products.
static constexpr StringRef microsoftWithout[] = {
    "BiasAdd",
    "BiasDropout",
    "BiasGelu",
    "BiasSoftmax",
    "BiasSplitGelu",
    "BitmaskBiasDropout",
    "BitmaskDropout",
    "BranchwiseRMSNorm",
    "ComplexMul",
    "ComplexMulConj",
    "CropAndResize",
    "DequantizeBFP",
    "DequantizeLinear",
    "DequantizeWithOrder",
    "EmbedLayerNormalization",
    "ExpandDims",
    "FastGelu",
    "GatherBlockQuantized",
    "GatherND",
    "Gelu",
    "GemmaRotaryEmbedding",
    "GridSample",
    "GroupNorm",
    "IsAllFinite",
    "MaxpoolWithMask",
    "MulInteger",
    "MurmurHash3",
    "NGramRepeatBlock",
    "NhwcMaxPool",
    "Pad",
    "QEmbedLayerNormalization",
    "QLinearAdd",
    "QLinearAveragePool",
    "QLinearConcat",
    "QLinearGlobalAveragePool",
    "QLinearLeakyRelu",
    "QLinearMul",
    "QLinearReduceMean",
    "QLinearSigmoid",
    "QLinearSoftmax",
    "QLinearWhere",
    "QuantizeBFP",
    "QuantizeLinear",
    "QuantizeWithOrder",
    "QuickGelu",
    "Range",
    "ReduceSumInteger",
    "RelativePositionBias",
    "RemovePadding",
    "RestorePadding",
    "RotaryEmbedding",
    "SkipGroupNorm",
    "SkipLayerNormalization",
    "SkipSimplifiedLayerNormalization",
    "Tokenizer",
    "Trilu",
    "Unique"};

static llvm::ArrayRef<MacRule> rulesOf(StringRef domain) {
  if (domain.empty())
    return standardRules;
  if (domain == "ai.onnx.ml")
    return classicRules;
  return domain == "com.microsoft" ? llvm::ArrayRef<MacRule>(microsoftRules)
                                   : llvm::ArrayRef<MacRule>();
}

/// No sums of products are in it.
static bool isWithout(Operator op) {
  if (op.domain() == "com.microsoft")
    return llvm::is_contained(microsoftWithout, op.opType());
  // onnx-fold's own, and operators of which the standard has a definition.
  return op.domain() == "onnx-fold" || !op.isCustom();
}

MacCount onnxfold::macsOf(Operator op, ValueSizes &sizes) {
  for (const MacRule &rule : rulesOf(op.domain())) {
    if (rule.type != op.opType())
      continue;
    if (op.hasReferences())
      return {{}, "an attribute is that of a call"};
    Count count = rule.count(NodeSizes(op, sizes));
    if (!count)
      return {{}, "a shape is not known"};
    if (count->isBeyond())
      return {{}, "more than can be said"};
    return {count};
  }
  if (op.domain() != "com.microsoft" &&
      llvm::is_contained(uncounted, op.opType()))
    return {{}, "it depends on the algorithm"};
  if (isWithout(op))
    return {Formula()};
  return {{}, "the operator is not known"};
}
