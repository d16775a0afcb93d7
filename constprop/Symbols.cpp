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

SymbolHandle Symbols::atom() { return intern({{{numAtoms++}, 1}}); }

SymbolHandle Symbols::fresh() { return atom(); }

SymbolHandle Symbols::named(llvm::StringRef name) {
  auto [it, isNew] = names.try_emplace(name);
  if (isNew) {
    it->second = atom();
    nameOfHandle.try_emplace(it->second.id, name.str());
  }
  return it->second;
}

std::string Symbols::text(SymbolHandle symbol) {
  auto it = nameOfHandle.find(symbol.id);
  if (it != nameOfHandle.end())
    return it->second;
  // '?' first: no exporter writes such a name.
  std::string name = "?" + llvm::itostr(symbol.id);
  names[name] = symbol;
  nameOfHandle[symbol.id] = name;
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

SymbolHandle Symbols::add(SymbolHandle a, SymbolHandle b) {
  Polynomial sum = polynomials[a.id];
  for (const auto &[monomial, coefficient] : polynomials[b.id])
    accumulate(sum, monomial, coefficient);
  return intern(std::move(sum));
}

SymbolHandle Symbols::subtract(SymbolHandle a, SymbolHandle b) {
  return add(a, multiply(b, constant(-1)));
}

SymbolHandle Symbols::multiply(SymbolHandle a, SymbolHandle b) {
  // Long products become unknowns rather than long computations.
  constexpr size_t maxTerms = 64;
  const Polynomial &x = polynomials[a.id], &y = polynomials[b.id];
  if (x.size() * y.size() > maxTerms)
    return fresh();
  Polynomial product;
  for (const auto &[mx, cx] : x)
    for (const auto &[my, cy] : y) {
      Monomial both;
      std::merge(mx.begin(), mx.end(), my.begin(), my.end(),
                 std::back_inserter(both));
      accumulate(product, both, onnxfold::multiply(cx, cy));
    }
  return intern(std::move(product));
}

std::optional<SymbolHandle> Symbols::divide(SymbolHandle a,
                                                SymbolHandle b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (y == 0 || (x && y && divisionUndefined(*x, *y)))
    return std::nullopt;
  if (x && y)
    return constant(*x / *y);
  if (y) {
    Polynomial quotient;
    for (const auto &[monomial, coefficient] : polynomials[a.id])
      if (*y != -1 && coefficient % *y == 0)
        quotient.emplace(monomial, coefficient / *y);
    if (quotient.size() == polynomials[a.id].size())
      return intern(std::move(quotient));
  }
  auto [it, isNew] = quotients.try_emplace({a.id, b.id});
  if (isNew)
    it->second = fresh();
  return it->second;
}

std::optional<int64_t> Symbols::valueOf(SymbolHandle symbol) const {
  const Polynomial &polynomial = polynomials[symbol.id];
  if (polynomial.empty())
    return 0;
  if (polynomial.size() == 1 && polynomial.begin()->first.empty())
    return polynomial.begin()->second;
  return std::nullopt;
}
