//===- SizeNames.cpp - Names of open sizes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/SizeNames.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

/// How many steps a size is taken apart in, and by how many unknowns.
static constexpr unsigned deepest = 12, mostTried = 16;

Formula SizeNames::add(DimExpr size, std::string name, std::string meaning) {
  Formula result = Formula::unknown(texts.size());
  unknowns.push_back(size);
  numbers.push_back(texts.size());
  taken.insert(name);
  texts.push_back(std::move(name));
  meanings.push_back(std::move(meaning));
  known[size.id] = result;
  return result;
}

std::string SizeNames::ownName() {
  std::string name;
  do
    name = "n" + std::to_string(++numOwn);
  while (taken.contains(name));
  return name;
}

Formula SizeNames::fresh(Meaning meaning) {
  Formula result = Formula::unknown(texts.size());
  texts.push_back(ownName());
  taken.insert(texts.back());
  meanings.push_back(meaning());
  return result;
}

/// A product with one of the unknowns as a factor.
std::optional<Formula> SizeNames::parseProduct(DimExpr size, unsigned depth) {
  for (size_t i = 0; i != std::min<size_t>(unknowns.size(), mostTried); ++i) {
    DimExpr factor = unknowns[i];
    DimExpr rest = exprs.divideExactly(size, factor);
    if (rest == size || exprs.multiply(rest, factor) != size)
      continue;
    Formula named = Formula::unknown(numbers[i]);
    if (std::optional<Formula> parsed = parse(rest, depth))
      return *parsed * named;
  }
  return std::nullopt;
}

/// A sum with a number, or with one of the unknowns, and nothing below 0 beside
/// it: ranges show that.
std::optional<Formula> SizeNames::parseSum(DimExpr size, unsigned depth) {
  ExprRange range = exprs.rangeOf(size);
  if (range.least == ExprRange::lowest || range.most == ExprRange::highest)
    return std::nullopt;
  if (range.least != 0) {
    DimExpr rest = exprs.subtract(size, exprs.constant(range.least));
    if (exprs.rangeOf(rest).least != 0)
      return std::nullopt;
    std::optional<Formula> parsed = parse(rest, depth);
    return parsed ? std::optional(*parsed + Formula(range.least))
                  : std::nullopt;
  }
  for (size_t i = 0; i != std::min<size_t>(unknowns.size(), mostTried); ++i) {
    DimExpr rest = exprs.subtract(size, unknowns[i]);
    if (exprs.rangeOf(rest).least < 0)
      continue;
    if (std::optional<Formula> parsed = parse(rest, depth))
      return *parsed + Formula::unknown(numbers[i]);
  }
  return std::nullopt;
}

std::optional<Formula> SizeNames::parse(DimExpr size, unsigned depth) {
  if (std::optional<int64_t> value = exprs.valueOf(size))
    return Formula(*value);
  if (auto it = known.find(size.id); it != known.end())
    return it->second;
  if (std::optional<llvm::StringRef> name = exprs.nameOf(size)) {
    // Another unknown may have got the name before this dimension was seen.
    std::string text = printableName(*name);
    while (taken.contains(text))
      text += "'";
    return add(size, std::move(text), "");
  }
  if (depth == 0)
    return std::nullopt;
  if (std::optional<Formula> product = parseProduct(size, depth - 1))
    return product;
  return parseSum(size, depth - 1);
}

Formula SizeNames::of(DimExpr size, Meaning meaning) {
  std::optional<Formula> parsed = parse(size, deepest);
  if (!parsed)
    return add(size, ownName(), meaning());
  known[size.id] = *parsed;
  return *parsed;
}
