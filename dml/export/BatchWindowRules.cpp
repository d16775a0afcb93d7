//===- BatchWindowRules.cpp - Windows and sums with the batch in front ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Models of videos and of series of images merge time with the batch: dimension
// 0 of (batch * 5, 3, 32, 32) has 5 images of each sample. With the batch in
// front these are 15 channels of one image, in 5 groups.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/internal/FrontRule.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

/// Images of samples, which are dimension 0.
static bool hasImages(FrontRule &rule) {
  return rule.isFirstAlone() && rule.at() == 0 && rule.first().rank() > 2;
}

/// (batch, images, channels, ...) as (batch, images * channels, ...).
static Value asChannels(FrontRule &rule) {
  const Shape &dims = rule.first().dims;
  Shape merged(ArrayRef<int64_t>(dims).drop_front());
  merged[0] *= dims[0];
  return rule.graph.shaped(rule.graph.front(rule.op.input(0)), merged);
}

/// A list for each channel, for those of all images.
static Value forAllImages(FrontRule &rule, Value list) {
  SmallVector<Value> copies(rule.first().dims[0], list);
  return rule.graph.node("Concat", copies,
                         rule.graph.attribute("axis", int64_t(0)));
}

/// Result 0 of a node that computes with channels.
static bool giveImages(FrontRule &rule, ArrayRef<Value> inputs,
                       ArrayRef<NamedAttribute> changed = {}) {
  for (unsigned i = 1; i < rule.op.numOutputs(); ++i)
    if (!rule.op->getResult(i).use_empty())
      return false;
  SamplePlace samples = *rule.first().samples;
  std::optional<Shape> dims = rule.resultDims(0, samples);
  if (!dims)
    return false;
  Operator made = rule.graph.copy(rule.op, inputs, changed);
  rule.graph.give(rule.op, 0, rule.graph.shaped(made->getResult(0), *dims),
                  {samples, *dims});
  return true;
}

/// A group of channels for each image, with its own copy of the weights.
bool dml::frontConv(FrontRule &rule) {
  constexpr int64_t mostWeights = int64_t(1) << 24;
  if (!hasImages(rule) || !rule.inputs[1] ||
      countOf(rule.inputs[1]->dims) > mostWeights / rule.first().dims[0])
    return false;
  SmallVector<Value> inputs = {asChannels(rule)};
  for (unsigned i = 1; i < rule.op.numInputs(); ++i)
    inputs.push_back(rule.op.hasInput(i) ? forAllImages(rule, rule.op.input(i))
                                         : rule.op->getOperand(i));
  int64_t groups = rule.op.getInt("group", 1) * rule.first().dims[0];
  return giveImages(rule, inputs, rule.graph.attribute("group", groups));
}

/// Each channel alone: pooling, and normalisation by numbers of each channel.
bool dml::frontChannels(FrontRule &rule) {
  if (!hasImages(rule) || rule.op.getInt("training_mode", 0) != 0)
    return false; // statistics of all images of all samples
  SmallVector<Value> inputs = {asChannels(rule)};
  for (unsigned i = 1; i < rule.op.numInputs(); ++i)
    inputs.push_back(forAllImages(rule, rule.op.input(i)));
  return giveImages(rule, inputs);
}

/// The terms of an equation that names its result and has no ellipsis.
static std::optional<SmallVector<StringRef>> termsOf(FrontRule &rule,
                                                     StringRef &result) {
  StringRef operands;
  std::tie(operands, result) = rule.op.getString("equation", "").split("->");
  SmallVector<StringRef> terms;
  operands.split(terms, ',');
  if (result.empty() || terms.size() != rule.inputs.size() ||
      operands.contains('.') || operands.contains(' ') || result.contains(' '))
    return std::nullopt;
  return terms;
}

/// The batch gets a letter of its own, in front of all terms that have it.
bool dml::frontEinsum(FrontRule &rule) {
  StringRef result;
  auto terms = termsOf(rule, result);
  if (!terms)
    return false;
  std::string equation;
  char own = 0, batch = 'Z';
  while (rule.op.getString("equation", "").contains(batch))
    --batch;
  std::optional<SamplePlace> samples;
  SmallVector<Value> inputs;
  for (auto [term, one, given] :
       llvm::zip_equal(*terms, rule.inputs, rule.op->getOperands())) {
    if (!one || int64_t(term.size()) != one->rank())
      return false;
    equation += equation.empty() ? "" : ",";
    if (one->samples) {
      char letter = term[one->samples->axis];
      if ((own != 0 && own != letter) || term.count(letter) != 1 ||
          (samples && (samples->before != one->samples->before ||
                       samples->after != one->samples->after)))
        return false;
      own = letter;
      samples = one->samples;
      equation += batch;
    }
    equation += term;
    inputs.push_back(rule.graph.front(given));
  }
  for (auto [term, one] : llvm::zip_equal(*terms, rule.inputs))
    if (!one->samples && term.contains(own))
      return false; // another value for each sample
  if (!samples || result.count(own) != 1)
    return false; // it adds up samples
  samples->axis = result.find(own);
  equation += std::string("->") + batch + result.str();
  Operator made = rule.graph.copy(
      rule.op, inputs, rule.graph.textAttribute("equation", equation));
  return frontGiveAll(rule, made, *samples);
}
