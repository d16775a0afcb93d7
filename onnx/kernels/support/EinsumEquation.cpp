//===- EinsumEquation.cpp - Equations of Einstein summations --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/EinsumEquation.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Stands for "..." in a term; the dimensions it means are the labels after it.
static constexpr int ellipsis = 256;

/// The labels of one term, or nothing if it is none.
static std::optional<Labels> parseTerm(llvm::StringRef text) {
  Labels labels;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (llvm::is_contained(labels, ellipsis))
        return std::nullopt;
      labels.push_back(ellipsis);
      continue;
    }
    if (!llvm::isAlpha(text.front()))
      return std::nullopt;
    labels.push_back(text.front());
    text = text.drop_front();
  }
  return labels;
}

/// The ellipsis, then all letters that come once in the equation.
static Labels implicitResult(llvm::ArrayRef<Labels> terms) {
  std::map<int, int> counts;
  for (const Labels &term : terms)
    for (int label : term)
      ++counts[label];
  Labels result;
  if (counts.erase(ellipsis))
    result.push_back(ellipsis);
  for (auto [label, count] : counts)
    if (count == 1)
      result.push_back(label);
  return result;
}

std::optional<EinsumEquation> onnxfold::parseEinsumEquation(std::string text) {
  llvm::erase(text, ' ');
  EinsumEquation equation;
  auto [left, right] = llvm::StringRef(text).split("->");
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  for (llvm::StringRef term : terms) {
    std::optional<Labels> labels = parseTerm(term);
    if (!labels)
      return std::nullopt;
    equation.terms.push_back(*labels);
  }
  std::optional<Labels> result = left.size() == text.size()
                                     ? implicitResult(equation.terms)
                                     : parseTerm(right);
  if (!result)
    return std::nullopt;
  equation.result = *result;
  return text.empty() ? std::nullopt : std::optional(equation);
}

/// "..." becomes the labels of `count` dimensions.
static void expandEllipsis(Labels &labels, int64_t count) {
  int *at = llvm::find(labels, ellipsis);
  if (at == labels.end())
    return;
  at = labels.erase(at);
  for (int64_t i = count; i-- > 0;)
    at = labels.insert(at, ellipsis + int(i));
}

static Reason doesNotFit(unsigned input, ShapeRef shape) {
  return invalid("input #" + llvm::Twine(input) + " has shape " +
                 toString(shape) + ", which does not fit the equation");
}

/// Inference says the first size of a letter, also where that is 1 and the
/// others broadcast it.
static Reason checkInferredSizes(llvm::ArrayRef<Shape> shapes,
                                 const EinsumEquation &equation) {
  for (int letter : equation.result) {
    std::optional<int64_t> first;
    for (const auto &[labels, shape] : llvm::zip(equation.terms, shapes)) {
      const int *at = llvm::find(labels, letter);
      if (letter >= ellipsis || at == labels.end())
        continue;
      int64_t size = shape[at - labels.begin()];
      if (first.value_or(size) == 1 && size != 1)
        return undefined("label '" + llvm::Twine(char(letter)) +
                         "' has sizes 1 and " + llvm::Twine(size) +
                         ", of which inference says the first");
      first = first.value_or(size);
    }
  }
  return {};
}

Reason onnxfold::labelInputs(FoldContext &cx, EinsumEquation &equation) {
  llvm::SmallVector<Shape, 3> shapes;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    shapes.emplace_back(cx.input(i).shape());
  if (Reason wrong = labelShapes(shapes, equation))
    return wrong;
  return mustDecide(cx) ? Reason() : checkInferredSizes(shapes, equation);
}

Reason onnxfold::labelShapes(llvm::ArrayRef<Shape> shapes,
                             EinsumEquation &equation) {
  std::optional<int64_t> ellipsisRank;
  std::map<int, int64_t> sizes;
  for (auto [i, labels] : llvm::enumerate(equation.terms)) {
    const Shape &x = shapes[i];
    bool hasEllipsis = llvm::is_contained(labels, ellipsis);
    int64_t more = int64_t(x.size()) - int64_t(labels.size()) + hasEllipsis;
    if (more < 0 || (!hasEllipsis && more != 0))
      return doesNotFit(i, x);
    if (hasEllipsis && ellipsisRank.value_or(more) != more)
      return invalid("an ellipsis stands for " + llvm::Twine(*ellipsisRank) +
                     " and for " + llvm::Twine(more) + " dimensions");
    if (hasEllipsis)
      ellipsisRank = more;
    expandEllipsis(labels, more);
    for (auto [label, dim] : llvm::zip_equal(labels, x)) {
      int64_t &size = sizes.try_emplace(label, 1).first->second;
      int64_t own = x[llvm::find(labels, label) - labels.begin()];
      if (own != dim || (size != 1 && dim != 1 && size != dim))
        return doesNotFit(i, x);
      size = dim == 1 ? size : dim;
    }
  }
  expandEllipsis(equation.result, ellipsisRank.value_or(0));
  for (auto [i, label] : llvm::enumerate(equation.result))
    if (!sizes.count(label) ||
        llvm::is_contained(LabelsRef(equation.result).take_front(i), label))
      return invalid("a letter of the result comes twice or in no term");
  return {};
}
