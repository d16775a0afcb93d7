//===- Einsum.cpp - Constant kernel of onnx.Einsum ------------------------===//
//
// Einstein summation: dimensions of one letter are multiplied element by
// element, and summed unless the letter stands on the right of "->". Spec: onnx
// Einsum, versions 12, 28 (bf16). Upper and lower case are different letters; a
// letter that comes twice in a term takes the diagonal; "..." stands for the
// same number of dimensions everywhere, which broadcast; spaces mean nothing.
// Without "->" the result has the ellipsis, then the letters that come once, in
// ASCII order. As the reference evaluator has it, a dimension of 1 broadcasts
// under a letter too, and an ellipsis that is not on the right is summed.
// Operands are contracted from left to right, in double, rounded once at the
// end; integers wrap.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Contraction.h"
#include "onnxfold/onnx/kernels/support/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Rounding.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace onnxfold;

/// Stands for "..." in a term; the dimensions it means are the labels after it.
static constexpr int ellipsis = 256;

namespace {

struct Equation {
  llvm::SmallVector<Labels, 3> terms;
  std::optional<Labels> result; // null: implicit
};

} // namespace

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

static std::optional<Equation> parseEquation(std::string text) {
  llvm::erase(text, ' ');
  Equation equation;
  auto [left, right] = llvm::StringRef(text).split("->");
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  for (llvm::StringRef term : terms) {
    std::optional<Labels> labels = parseTerm(term);
    if (!labels)
      return std::nullopt;
    equation.terms.push_back(*labels);
  }
  if (left.size() != text.size()) {
    equation.result = parseTerm(right);
    if (!equation.result)
      return std::nullopt;
  }
  return text.empty() ? std::nullopt : std::optional(equation);
}

/// The ellipsis, then all letters that come once in the equation.
static Labels implicitResult(const Equation &equation) {
  std::map<int, int> counts;
  for (const Labels &term : equation.terms)
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

/// "..." becomes the labels of `count` dimensions.
static void expandEllipsis(Labels &labels, int64_t count) {
  int *at = llvm::find(labels, ellipsis);
  if (at == labels.end())
    return;
  at = labels.erase(at);
  for (int64_t i = count; i-- > 0;)
    at = labels.insert(at, ellipsis + int(i));
}

static Reason doesNotFit(unsigned input, const Elements &x) {
  return invalid("input #" + llvm::Twine(input) + " has shape " +
                 toString(x.shape()) + ", which does not fit the equation");
}

/// Gives each dimension of the inputs a label; dimensions of a label that stand
/// in different inputs are equal or 1.
static std::optional<Reason> labelInputs(FoldContext &cx, Equation &equation) {
  std::optional<int64_t> ellipsisRank;
  std::map<int, int64_t> sizes;
  for (auto [i, labels] : llvm::enumerate(equation.terms)) {
    const Elements &x = cx.input(i);
    bool hasEllipsis = llvm::is_contained(labels, ellipsis);
    int64_t more = x.rank() - int64_t(labels.size()) + hasEllipsis;
    if (more < 0 || (!hasEllipsis && more != 0))
      return doesNotFit(i, x);
    if (hasEllipsis && ellipsisRank.value_or(more) != more)
      return invalid("an ellipsis stands for " + llvm::Twine(*ellipsisRank) +
                     " and for " + llvm::Twine(more) + " dimensions");
    if (hasEllipsis)
      ellipsisRank = more;
    expandEllipsis(labels, more);
    for (auto [label, dim] : llvm::zip_equal(labels, x.shape())) {
      int64_t &size = sizes.try_emplace(label, 1).first->second;
      int64_t own = x.dim(llvm::find(labels, label) - labels.begin());
      if (own != dim || (size != 1 && dim != 1 && size != dim))
        return doesNotFit(i, x);
      size = dim == 1 ? size : dim;
    }
  }
  expandEllipsis(*equation.result, ellipsisRank.value_or(0));
  for (auto [i, label] : llvm::enumerate(*equation.result))
    if (!sizes.count(label) ||
        llvm::is_contained(LabelsRef(*equation.result).take_front(i), label))
      return invalid("a letter of the result comes twice or in no term");
  return std::nullopt;
}

/// A reason if the product of two operands is over the limits.
static std::optional<Reason> checkProduct(FoldContext &cx, const Labelled &a,
                                          const Labelled &b, LabelsRef kept) {
  double work = 1;
  Shape shape;
  auto count = [&](int label, int64_t dim) {
    work *= dim;
    if (llvm::is_contained(kept, label))
      shape.push_back(dim);
  };
  for (int label : a.labels)
    count(label, llvm::is_contained(b.labels, label)
                     ? std::max(a.dim(label), b.dim(label))
                     : a.dim(label));
  for (int label : b.labels)
    if (!llvm::is_contained(a.labels, label))
      count(label, b.dim(label));
  if (auto limit = cx.checkResult(a.value.type(), shape))
    return limit;
  return cx.checkWork(work);
}

static FoldResult foldEinsum(FoldContext &cx) {
  if (auto mismatch = checkSameType(cx))
    return *mismatch;
  auto equation = parseEquation(cx.string("equation").value_or(""));
  if (!equation || equation->terms.size() != cx.numInputs())
    return invalid("attribute 'equation' is '" +
                   cx.string("equation").value_or("") + "' for " +
                   llvm::Twine(cx.numInputs()) + " inputs");
  if (!equation->result)
    equation->result = implicitResult(*equation);
  if (auto wrong = labelInputs(cx, *equation))
    return *wrong;
  DataType type = cx.input(0).type();
  bool isFloat = typeClass(type) == TypeClass::Float;
  if (!visitArithmetic(type, [](auto) {}))
    return Elements();
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    if (auto limit = cx.checkWork(cx.input(i).size()))
      return *limit;
  auto operand = [&](unsigned i) {
    const Elements &x = cx.input(i);
    return diagonals({isFloat ? x.unrounded() : x, equation->terms[i]});
  };
  Labelled product = operand(0);
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    Labels later = *equation->result;
    for (const Labels &term : llvm::drop_begin(equation->terms, i + 1))
      llvm::append_range(later, term);
    Labelled next = operand(i);
    auto need = [&](const Labels &other) {
      Labels labels = later;
      llvm::append_range(labels, other);
      return labels;
    };
    product = summed(product, need(next.labels));
    next = summed(next, need(product.labels));
    if (auto limit = checkProduct(cx, product, next, later))
      return *limit;
    product = contract(product, next, later);
  }
  product = summed(product, *equation->result);
  Elements result = arranged(product, *equation->result);
  return isFloat ? rounded(cx, result, type) : result;
}

namespace onnxfold {
void registerEinsum(KernelRegistry &registry) {
  registry.add("Einsum", {12, 28}, foldEinsum);
}
} // namespace onnxfold
