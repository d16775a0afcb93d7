//===- Symbols.cpp - Integers that are only partly known ------------------===//

#include "onnxfold/constprop/Symbols.h"
#include "onnxfold/elements/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace onnxfold;

SymbolHandle Symbols::intern(Polynomial polynomial) {
  auto [it, isNew] =
      handles.try_emplace(std::move(polynomial), int64_t(polynomials.size()));
  if (isNew)
    polynomials.push_back(it->first);
  return {it->second};
}

SymbolHandle Symbols::constant(int64_t value) {
  Polynomial polynomial;
  accumulate(polynomial, {}, value);
  return intern(std::move(polynomial));
}

SymbolHandle Symbols::fresh() { return intern({{{numAtoms++}, 1}}); }

SymbolHandle Symbols::opaque(char operation, SymbolHandle a, SymbolHandle b) {
  auto [it, isNew] = opaques.try_emplace({operation, a.id, b.id});
  if (isNew)
    it->second = fresh();
  return it->second;
}

SymbolHandle Symbols::named(llvm::StringRef name) {
  auto known = names.find(name);
  if (known != names.end())
    return known->second;
  SymbolHandle symbol = fresh();
  if (name.starts_with("?"))
    return symbol;
  names[name] = symbol;
  nameOfHandle.try_emplace(symbol.id, name.str());
  return symbol;
}

std::string Symbols::text(SymbolHandle symbol) {
  std::string &name = nameOfHandle[symbol.id];
  if (name.empty()) {
    name = "?" + llvm::itostr(symbol.id);
    names[name] = symbol;
  }
  return name;
}

/// Adds coefficient * monomial; wraps as the integers that it stands for do.
void Symbols::accumulate(Polynomial &sum, const Monomial &monomial,
                         int64_t coefficient) {
  auto it = sum.try_emplace(monomial, 0).first;
  it->second = onnxfold::add(it->second, coefficient);
  if (it->second == 0)
    sum.erase(it);
}

// Longer expressions become unknowns rather than long computations.
static constexpr size_t maxTerms = 64, maxFactors = 64;

SymbolHandle Symbols::add(SymbolHandle a, SymbolHandle b) {
  Polynomial sum = polynomials[a.id];
  for (const auto &[monomial, coefficient] : polynomials[b.id])
    accumulate(sum, monomial, coefficient);
  if (sum.size() > maxTerms)
    return opaque('+', a, b);
  return intern(std::move(sum));
}

SymbolHandle Symbols::subtract(SymbolHandle a, SymbolHandle b) {
  return add(a, multiply(b, constant(-1)));
}

SymbolHandle Symbols::multiply(SymbolHandle a, SymbolHandle b) {
  const Polynomial &x = polynomials[a.id], &y = polynomials[b.id];
  if (x.size() * y.size() > maxTerms)
    return opaque('*', a, b);
  Polynomial product;
  for (const auto &[mx, cx] : x)
    for (const auto &[my, cy] : y) {
      if (mx.size() + my.size() > maxFactors)
        return opaque('*', a, b);
      Monomial both;
      std::merge(mx.begin(), mx.end(), my.begin(), my.end(),
                 std::back_inserter(both));
      accumulate(product, both, onnxfold::multiply(cx, cy));
    }
  return intern(std::move(product));
}

std::optional<SymbolHandle> Symbols::divide(SymbolHandle a, SymbolHandle b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (y == 0 || (x && y && divisionUndefined(*x, *y)))
    return std::nullopt;
  if (x && y)
    return constant(*x / *y);
  if (y) {
    Polynomial quotient;
    for (const auto &[monomial, coefficient] : polynomials[a.id])
      if (!divisionUndefined(coefficient, *y) && coefficient % *y == 0)
        quotient.emplace(monomial, coefficient / *y);
    if (quotient.size() == polynomials[a.id].size())
      return intern(std::move(quotient));
  }
  return opaque('/', a, b);
}

std::optional<int64_t> Symbols::valueOf(SymbolHandle symbol) const {
  const Polynomial &polynomial = polynomials[symbol.id];
  if (polynomial.empty())
    return 0;
  if (polynomial.size() == 1 && polynomial.begin()->first.empty())
    return polynomial.begin()->second;
  return std::nullopt;
}
