//===- Formula.cpp - A number that depends on open sizes ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/Formula.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <iterator>

using namespace onnxfold;

/// Longer ones are no help to anybody, and hostile models make them.
static constexpr size_t mostTerms = 64, mostFactors = 16;

Formula::Formula(int64_t value) { add({}, value); }

Formula Formula::unknown(unsigned number) {
  Formula result;
  result.add({number}, 1);
  return result;
}

Formula Formula::beyond() {
  Formula result;
  result.passes = true;
  return result;
}

void Formula::add(const Product &product, int64_t coefficient) {
  auto it = terms.try_emplace(product, 0).first;
  if (llvm::AddOverflow(it->second, coefficient, it->second) ||
      terms.size() > mostTerms || product.size() > mostFactors) {
    *this = beyond();
    return;
  }
  if (it->second == 0)
    terms.erase(it);
}

Formula Formula::operator+(const Formula &other) const {
  if (passes || other.passes)
    return beyond();
  Formula sum = *this;
  for (const auto &[product, coefficient] : other.terms)
    if (!sum.passes)
      sum.add(product, coefficient);
  return sum;
}

Formula Formula::operator-(const Formula &other) const {
  return *this + other * Formula(-1);
}

Formula Formula::operator*(const Formula &other) const {
  // Nothing times what is not known is nothing.
  if ((!passes && terms.empty()) || (!other.passes && other.terms.empty()))
    return Formula();
  if (passes || other.passes)
    return beyond();
  Formula result;
  for (const auto &[left, x] : terms)
    for (const auto &[right, y] : other.terms) {
      Product both;
      std::merge(left.begin(), left.end(), right.begin(), right.end(),
                 std::back_inserter(both));
      int64_t coefficient;
      if (llvm::MulOverflow(x, y, coefficient))
        return beyond();
      result.add(both, coefficient);
      if (result.passes)
        return result;
    }
  return result;
}

std::optional<int64_t> Formula::value() const {
  if (passes || terms.size() > 1)
    return std::nullopt;
  if (terms.empty())
    return 0;
  return terms.begin()->first.empty() ? std::optional(terms.begin()->second)
                                      : std::nullopt;
}

bool Formula::covers(const Formula &other) const {
  if (passes || other.passes)
    return passes && other.passes;
  Formula more = *this - other;
  if (more.passes)
    return false;
  for (const auto &[product, coefficient] : more.terms) {
    int64_t missing = coefficient < 0 ? -coefficient : 0;
    for (auto &[larger, rest] : more.terms)
      if (missing > 0 && rest > 0 &&
          std::includes(larger.begin(), larger.end(), product.begin(),
                        product.end())) {
        int64_t used = std::min(rest, missing);
        rest -= used;
        missing -= used;
      }
    if (missing > 0)
      return false;
  }
  return true;
}

Formula Formula::dividedUp(int64_t by) const {
  Formula result;
  result.passes = passes;
  for (const auto &[product, coefficient] : terms)
    result.add(product, coefficient / by + (coefficient % by > 0));
  return result;
}

std::vector<unsigned> Formula::unknowns() const {
  std::vector<unsigned> all;
  for (const auto &term : terms)
    llvm::append_range(all, term.first);
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// "*batch*seq^2" of the numbers of its factors.
static std::string textOf(const std::vector<unsigned> &product,
                          llvm::ArrayRef<std::string> names) {
  std::string text;
  for (size_t i = 0; i != product.size();) {
    size_t end = i;
    while (end != product.size() && product[end] == product[i])
      ++end;
    text += "*" + names[product[i]];
    if (end - i > 1)
      text += "^" + std::to_string(end - i);
    i = end;
  }
  return text;
}

std::string Formula::text(llvm::ArrayRef<std::string> names) const {
  if (passes)
    return "?";
  // The highest degree first: it decides where sizes are large.
  std::vector<std::pair<Product, int64_t>> sorted(terms.begin(), terms.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
    return a.first.size() > b.first.size();
  });
  std::string text;
  for (const auto &[product, coefficient] : sorted) {
    std::string factors = textOf(product, names);
    uint64_t size = coefficient < 0 ? -uint64_t(coefficient) : coefficient;
    bool isOne = size == 1 && !factors.empty();
    text += text.empty() ? (coefficient < 0 ? "-" : "")
                         : (coefficient < 0 ? " - " : " + ");
    text += isOne ? factors.substr(1) : std::to_string(size) + factors;
  }
  return text.empty() ? "0" : text;
}
