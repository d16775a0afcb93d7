//===- ContribRules.cpp - Rules of com.microsoft and ai.onnx.ml -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// See SampleRules.cpp. Operators of com.microsoft are as ONNX Runtime's
// docs/ContribOperators.md has them.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/transforms/batch/internal/SampleRule.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace mlir;

/// Wants samples in dimension 0 of these inputs, and gives them there.
static std::string batchFirst(SampleRule &rule, ArrayRef<InputPlace> places) {
  if (std::string why = wantSamples(rule, places); !why.empty())
    return why;
  giveAll(rule, {0, 1});
  return "";
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// Normalises input + skip along the last dimension.
static std::string skipLayerNormalization(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank || rule.at(0)->axis >= *rank - 1)
    return rule.mixes("works along the samples");
  std::optional<int64_t> other = rule.rank(1);
  if (!other || (rule.at(1) ? rule.at(1) != rule.at(0) || other != rank
                            : *other >= *rank))
    return rule.mixes("has another value for each sample in input #1");
  for (unsigned i : rule.given())
    if (i > 1 && rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  giveAll(rule, *rule.at(0));
  return "";
}

static std::string embedLayerNormalization(SampleRule &rule) {
  return batchFirst(rule, {{0, 0}, {1, 0}, {7, 0}, {8, 0}});
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// A mask that is given has one row for each sample; in its other forms sizes
/// of the batch are computed with.
static std::string checkMask(SampleRule &rule, unsigned mask, unsigned bias,
                             SmallVectorImpl<InputPlace> &places) {
  if (rule.op.hasInput(mask)) {
    std::optional<Shape> shape = rule.flow.shapeOf(rule.op.input(mask));
    if (!shape || shape->empty() || (*shape)[0] != rule.flow.size())
      return rule.mixes("has a mask that has no row for each sample");
    places.push_back({mask, 0});
  }
  if (rule.at(bias))
    places.push_back({bias, 0});
  else if (rule.op.hasInput(bias))
    return fitShared(rule, bias, /*fromRight=*/4, {0, 1});
  return "";
}

static std::string attention(SampleRule &rule) {
  constexpr unsigned mask = 3, past = 4, bias = 5;
  SmallVector<InputPlace> places = {{0, 0}, {past, 1}};
  if (rule.op.getInt("do_rotary", 0) != 0)
    return rule.mixes("has rotary positions");
  if (std::string why = checkMask(rule, mask, bias, places); !why.empty())
    return why;
  if (std::string why = wantSamples(rule, places); !why.empty())
    return why;
  rule.give(0, {0, 1});
  if (rule.op.numOutputs() > 1)
    rule.give(1, {1, 1});
  return "";
}

static std::string multiHeadAttention(SampleRule &rule) {
  constexpr unsigned mask = 4, bias = 5;
  SmallVector<InputPlace> places = {{0, 0}, {1, 0}, {2, 0}, {6, 0}, {7, 0}};
  if (rule.op.numInputs() > 8)
    return rule.mixes("has a cache with a length for all samples");
  if (std::string why = checkMask(rule, mask, bias, places); !why.empty())
    return why;
  return batchFirst(rule, places);
}

static std::string groupQueryAttention(SampleRule &rule) {
  for (unsigned i = 9; i < rule.op.numInputs(); ++i)
    if (rule.op.hasInput(i))
      return rule.mixes("has an input #" + Twine(i));
  return batchFirst(rule, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}});
}

/// One position is the offset of all samples.
static std::string rotaryEmbedding(SampleRule &rule) {
  if (rule.rank(1) == 1 && !rule.at(1))
    return batchFirst(rule, {{0, 0}});
  return batchFirst(rule, {{0, 0}, {1, 0}});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Z is added to the result.
static std::string fusedConv(SampleRule &rule) {
  return batchFirst(rule, {{0, 0}, {3, 0}});
}

static std::string fusedMatMul(SampleRule &rule) {
  for (StringRef name : {"transA", "transBatchA", "transBatchB"})
    if (rule.op.getInt(name, 0) != 0)
      return rule.mixes("transposes input #0, or batches");
  if (rule.op.getInt("transB", 0) != 0 && rule.at(1))
    return rule.mixes("transposes samples of input #1");
  return multiply(rule, 0, 1);
}

/// The weights are quantized along the last dimension.
static std::string matMulNBits(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank || rule.at(0)->axis == *rank - 1)
    return rule.mixes("adds up samples");
  return asInput(rule);
}

static std::string matMulIntegerToFloat(SampleRule &rule) {
  bool isOne = isScalar(rule, 2) && isScalar(rule, 4);
  if (!isOne || rule.at(1))
    return rule.mixes("has scales for rows, or samples in input #1");
  for (unsigned i : {3u, 5u, 6u})
    if (rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  return multiply(rule, 0, 1);
}

static std::string quantizedGemm(SampleRule &rule) {
  constexpr unsigned bias = 6;
  int64_t axis = rule.op.getInt("transA", 0) != 0 ? 1 : 0;
  if (rule.at(0)->axis != axis)
    return rule.mixes("adds up samples");
  for (unsigned i : rule.given())
    if (i != 0 && rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  if (!isScalar(rule, 1) || !isScalar(rule, 2))
    return rule.mixes("has scales or zero points for rows");
  if (rule.op.hasInput(bias))
    if (std::string why = fitShared(rule, bias, 2, *rule.at(0)); !why.empty())
      return why;
  rule.give(0, {0, rule.at(0)->factor});
  return "";
}

//===----------------------------------------------------------------------===//
// Quantized operators
//===----------------------------------------------------------------------===//

/// Scales and zero points, which no sample changes.
static std::string sharedBut(SampleRule &rule, ArrayRef<unsigned> inputs) {
  for (unsigned i : rule.given())
    if (rule.at(i) && !llvm::is_contained(inputs, i))
      return rule.mixes("reads samples in input #" + Twine(i));
  return "";
}

static std::string quantizedBinary(SampleRule &rule) {
  std::string why = sharedBut(rule, {0, 3});
  return why.empty() ? broadcast(rule, {0, 3}) : why;
}

static std::string quantizedWhere(SampleRule &rule) {
  std::string why = sharedBut(rule, {0, 1, 4});
  return why.empty() ? broadcast(rule, {0, 1, 4}) : why;
}

/// Scale and zero point of the result, then three inputs for each operand.
static std::string quantizedConcat(SampleRule &rule) {
  SmallVector<unsigned> operands;
  for (unsigned i = 2; i < rule.op.numInputs(); i += 3)
    operands.push_back(i);
  if (operands.empty())
    return rule.mixes("has no operand");
  std::string why = sharedBut(rule, operands);
  return why.empty() ? concatenate(rule, operands) : why;
}

static std::string quantizedSoftmax(SampleRule &rule) {
  std::optional<int64_t> axis = rule.axis("axis", -1);
  if (!axis || rule.at(0)->axis >= *axis)
    return rule.mixes("works along the samples");
  return asInput(rule);
}

//===----------------------------------------------------------------------===//
// ai.onnx.ml: one row for each sample
//===----------------------------------------------------------------------===//

static std::string featureVectorizer(SampleRule &rule) {
  SmallVector<InputPlace> places;
  for (unsigned i : rule.given())
    places.push_back({i, 0});
  return batchFirst(rule, places);
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

using Table = llvm::StringMap<SampleRuleOf>;

static const Table &microsoftRules() {
  static const Table table = {
      {"Attention", attention},
      {"BiasGelu", asInput},
      {"DequantizeLinear", ruleOfQuantization},
      {"DynamicQuantizeMatMul", withOneScale},
      {"EmbedLayerNormalization", embedLayerNormalization},
      {"FastGelu", asInput},
      {"FusedConv", fusedConv},
      {"FusedGemm", ruleOfGemm},
      {"FusedMatMul", fusedMatMul},
      {"Gelu", asInput},
      {"GroupQueryAttention", groupQueryAttention},
      {"MatMulIntegerToFloat", matMulIntegerToFloat},
      {"MatMulNBits", matMulNBits},
      {"MultiHeadAttention", multiHeadAttention},
      {"QGemm", quantizedGemm},
      {"QLinearAdd", quantizedBinary},
      {"QLinearAveragePool", leading},
      {"QLinearConcat", quantizedConcat},
      {"QLinearConv", leading},
      {"QLinearGlobalAveragePool", leading},
      {"QLinearLeakyRelu", asInput},
      {"QLinearMul", quantizedBinary},
      {"QLinearSigmoid", asInput},
      {"QLinearSoftmax", quantizedSoftmax},
      {"QLinearWhere", quantizedWhere},
      {"QuantizeLinear", ruleOfQuantization},
      {"QuickGelu", asInput},
      {"RotaryEmbedding", rotaryEmbedding},
      {"SkipLayerNormalization", skipLayerNormalization},
      {"SkipSimplifiedLayerNormalization", skipLayerNormalization},
  };
  return table;
}

static const Table &mlRules() {
  static const Table table = {
      {"Binarizer", rows},
      {"FeatureVectorizer", featureVectorizer},
      {"Imputer", rows},
      {"LabelEncoder", asInput},
      {"LinearClassifier", rows},
      {"LinearRegressor", rows},
      {"Normalizer", rows},
      {"SVMClassifier", rows},
      {"SVMRegressor", rows},
      {"Scaler", rows},
      {"TreeEnsemble", rows},
      {"TreeEnsembleClassifier", rows},
      {"TreeEnsembleRegressor", rows},
  };
  return table;
}

SampleRuleOf onnxfold::ruleOfDomain(StringRef domain, StringRef opType) {
  if (domain == "com.microsoft")
    return microsoftRules().lookup(opType);
  return domain == "ai.onnx.ml" ? mlRules().lookup(opType) : nullptr;
}
