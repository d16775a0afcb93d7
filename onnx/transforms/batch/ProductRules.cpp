//===- ProductRules.cpp - Rules of sums of products -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See SampleRules.cpp. Rows and columns of a product may be samples, and so may
// a dimension that both operands keep; one that is summed may not.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/transforms/batch/internal/SampleRule.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::multiply(SampleRule &rule, unsigned first,
                               unsigned second) {
  std::optional<int64_t> left = rule.rank(first), right = rule.rank(second);
  if (!left || !right || *left < 2 || *right < 2)
    return rule.mixes("has vectors, or operands of unknown rank");
  std::optional<BatchAxis> a = rule.at(first), b = rule.at(second);
  int64_t rank = std::max(*left, *right);
  auto place = [](BatchAxis at, int64_t own) { return own - at.axis; };
  if ((a && place(*a, *left) == 1) || (b && place(*b, *right) == 2))
    return rule.mixes("adds up samples");
  if (a && place(*a, *left) == 2) { // rows
    if (b)
      return rule.mixes("multiplies samples with each other");
    rule.give(0, {rank - 2, a->factor});
    return "";
  }
  if (b && place(*b, *right) == 1) { // columns
    if (a)
      return rule.mixes("multiplies samples with each other");
    rule.give(0, {rank - 1, b->factor});
    return "";
  }
  return broadcast(rule, {first, second});
}

std::string onnxfold::ruleOfMatMul(SampleRule &rule) {
  return multiply(rule, 0, 1);
}

std::string onnxfold::ruleOfGemm(SampleRule &rule) {
  bool isTransposed = rule.op.getInt("transA", 0) != 0;
  std::optional<BatchAxis> a = rule.at(0);
  if (!a || rule.at(1))
    return rule.mixes("multiplies samples with each other");
  if (a->axis != (isTransposed ? 1 : 0))
    return rule.mixes("adds up samples");
  if (rule.op.since() < 7 && rule.op.hasInput(2) &&
      rule.rank(2).value_or(2) == 2)
    return rule.mixes("broadcasts as before opset 7");
  if (rule.op.hasInput(2)) {
    std::optional<BatchAxis> c = rule.at(2);
    if (c && (*c != BatchAxis{0, a->factor} || rule.rank(2) != 2))
      return rule.mixes("has samples in different axes");
    if (!c)
      if (std::string why = fitShared(rule, 2, 2, *a); !why.empty())
        return why;
  }
  rule.give(0, {0, a->factor});
  return "";
}

bool onnxfold::isScalar(SampleRule &rule, unsigned i) {
  if (!rule.op.hasInput(i))
    return true;
  std::optional<Shape> shape = rule.flow.shapeOf(rule.op.input(i));
  return shape && !rule.at(i) &&
         llvm::all_of(*shape, [](int64_t size) { return size == 1; });
}

/// One scale and one zero point for all rows, and for all columns if these are
/// the samples.
static std::string checkScales(SampleRule &rule, ArrayRef<unsigned> ofRows,
                               ArrayRef<unsigned> ofColumns,
                               bool columnsAreSamples) {
  auto isOne = [&](unsigned i) { return isScalar(rule, i); };
  if (!llvm::all_of(ofRows, isOne) ||
      (columnsAreSamples && !llvm::all_of(ofColumns, isOne)))
    return rule.mixes("has scales or zero points for rows");
  for (unsigned i : ofColumns)
    if (rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  return "";
}

std::string onnxfold::ruleOfMatMulInteger(SampleRule &rule) {
  std::string why = checkScales(rule, {2}, {3}, rule.at(1).has_value());
  return why.empty() ? multiply(rule, 0, 1) : why;
}

std::string onnxfold::ruleOfQLinearMatMul(SampleRule &rule) {
  std::string why =
      checkScales(rule, {1, 2, 6, 7}, {4, 5}, rule.at(3).has_value());
  return why.empty() ? multiply(rule, 0, 3) : why;
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

/// The labels of the result if the equation does not say them: those that occur
/// once, in their order.
static std::string impliedLabels(StringRef terms) {
  std::string labels;
  for (char label = 'A'; label <= 'z'; ++label)
    if (llvm::isAlpha(label) && terms.count(label) == 1)
      labels += label;
  return labels;
}

/// The samples have one label in all operands, and the result has it.
std::string onnxfold::ruleOfEinsum(SampleRule &rule) {
  std::string equation = rule.op.getString("equation", "").str();
  llvm::erase(equation, ' ');
  if (StringRef(equation).contains("..."))
    return rule.mixes("has an equation with an ellipsis");
  auto [terms, result] = StringRef(equation).split("->");
  std::string implied = impliedLabels(terms);
  if (!StringRef(equation).contains("->"))
    result = implied;
  SmallVector<StringRef> operands(llvm::split(terms, ','));
  if (operands.size() != rule.op.numInputs())
    return rule.mixes("has an equation of other operands");
  std::optional<BatchAxis> at;
  char label = 0;
  for (auto [i, labels] : llvm::enumerate(operands)) {
    std::optional<BatchAxis> here = rule.at(i);
    if (!here)
      continue;
    if (here->axis >= int64_t(labels.size()))
      return rule.mixes("has an equation of another rank");
    if (at && (labels[here->axis] != label || here->factor != at->factor))
      return rule.mixes("multiplies samples with each other");
    at = here;
    label = labels[here->axis];
  }
  for (auto [i, labels] : llvm::enumerate(operands))
    if (labels.count(label) != (rule.at(i) ? 1 : 0))
      return rule.mixes("has another value for each sample in input #" +
                        Twine(i) + ", or takes a diagonal");
  size_t place = result.find(label);
  if (place == StringRef::npos)
    return rule.mixes("adds up samples");
  rule.give(0, {int64_t(place), at->factor});
  return "";
}
