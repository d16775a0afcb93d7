//===- DimExprs.cpp - Integers that are only partly known -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/symbolic/DimExprs.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

DimExpr DimExprs::intern(Polynomial polynomial) {
  auto [it, isNew] =
      handles.try_emplace(std::move(polynomial), int64_t(polynomials.size()));
  if (isNew)
    polynomials.push_back(it->first);
  return {it->second};
}

DimExpr DimExprs::constant(int64_t value) {
  Polynomial polynomial;
  accumulate(polynomial, {}, value);
  return intern(std::move(polynomial));
}

DimExpr DimExprs::fresh(ExprRange range) {
  atoms.push_back(range);
  return intern({{{int64_t(atoms.size()) - 1}, 1}});
}

DimExpr DimExprs::opaque(int operation, DimExpr a, DimExpr b, DimExpr c,
                         ExprRange range) {
  auto [it, isNew] = opaques.try_emplace({operation, a.id, b.id, c.id});
  if (!isNew)
    return it->second;
  it->second = fresh(range);
  if (llvm::StringRef("mM/_%sl=").contains(char(operation)) && operation < 128)
    definitions[int64_t(atoms.size()) - 1] = {operation, a, b, c};
  return it->second;
}

const DimExprs::Definition *DimExprs::definitionOf(DimExpr symbol) const {
  const Polynomial &polynomial = polynomials[symbol.id];
  if (polynomial.size() != 1 || polynomial.begin()->second != 1 ||
      polynomial.begin()->first.size() != 1)
    return nullptr;
  auto found = definitions.find(polynomial.begin()->first[0]);
  return found == definitions.end() ? nullptr : &found->second;
}

std::optional<int64_t> DimExprs::divisorOf(const Definition &atom) const {
  // Rounded to zero is rounded down where nothing is below.
  bool isDown = atom.operation == '_' ||
                (atom.operation == '/' && rangeOf(atom.a).least >= 0);
  std::optional<int64_t> by = isDown ? valueOf(atom.b) : std::nullopt;
  return by && *by > 0 ? by : std::nullopt;
}

DimExpr DimExprs::opaque(int name, DimExpr a, DimExpr b, ExprRange range) {
  return opaque(name, a, b, {-1}, range);
}

/// Of an operation whose operands may be exchanged.
DimExpr DimExprs::opaqueOfEither(int operation, DimExpr a, DimExpr b,
                                 ExprRange range) {
  if (b.id < a.id)
    std::swap(a, b);
  return opaque(operation, a, b, range);
}

DimExpr DimExprs::named(llvm::StringRef name) {
  auto known = names.find(name);
  if (known != names.end())
    return known->second;
  DimExpr symbol = freshDimension();
  if (name.starts_with("?"))
    return symbol;
  names[name] = symbol;
  nameOfHandle.try_emplace(symbol.id, name.str());
  return symbol;
}

std::string DimExprs::text(DimExpr symbol) {
  std::string &name = nameOfHandle[symbol.id];
  if (name.empty()) {
    name = "?" + llvm::itostr(symbol.id);
    names[name] = symbol;
  }
  return name;
}

std::optional<llvm::StringRef> DimExprs::nameOf(DimExpr symbol) const {
  auto it = nameOfHandle.find(symbol.id);
  if (it == nameOfHandle.end() || llvm::StringRef(it->second).starts_with("?"))
    return std::nullopt;
  return it->second;
}

/// Adds coefficient * monomial; wraps as the integers that it stands for do.
void DimExprs::accumulate(Polynomial &sum, const Monomial &monomial,
                          int64_t coefficient) {
  auto it = sum.try_emplace(monomial, 0).first;
  it->second = ops::add(it->second, coefficient);
  if (it->second == 0)
    sum.erase(it);
}

std::optional<int64_t> DimExprs::valueOf(DimExpr symbol) const {
  const Polynomial &polynomial = polynomials[symbol.id];
  if (polynomial.empty())
    return 0;
  if (polynomial.size() == 1 && polynomial.begin()->first.empty())
    return polynomial.begin()->second;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

ExprRange ExprRange::of(DataType type) {
  if (type == DataType::Bool)
    return truth();
  unsigned width = bitWidth(type);
  if (!isInteger(type) || width >= 64)
    return {};
  if (isUnsigned(type))
    return {0, (int64_t(1) << width) - 1};
  return {-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1};
}

/// Nothing where a product passes int64: what is computed might wrap.
static std::optional<ExprRange> times(ExprRange a, ExprRange b) {
  int64_t products[4];
  if (llvm::MulOverflow(a.least, b.least, products[0]) ||
      llvm::MulOverflow(a.least, b.most, products[1]) ||
      llvm::MulOverflow(a.most, b.least, products[2]) ||
      llvm::MulOverflow(a.most, b.most, products[3]))
    return std::nullopt;
  auto [least, most] = std::minmax_element(products, products + 4);
  return ExprRange{*least, *most};
}

ExprRange DimExprs::rangeOf(DimExpr symbol) const {
  ExprRange sum{0, 0};
  const Polynomial &polynomial = polynomials[symbol.id];
  // An atom without a bound on one side has one on the other.
  if (polynomial.size() == 1 && polynomial.begin()->first.size() == 1 &&
      polynomial.begin()->second == 1)
    return atoms[polynomial.begin()->first[0]];
  for (const auto &[monomial, coefficient] : polynomial) {
    std::optional<ExprRange> product = ExprRange{coefficient, coefficient};
    for (int64_t atom : monomial)
      if (!product || !(product = times(*product, atoms[atom])))
        return {};
    if (llvm::AddOverflow(sum.least, product->least, sum.least) ||
        llvm::AddOverflow(sum.most, product->most, sum.most))
      return {};
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// Longer expressions become unknowns rather than long computations.
static constexpr size_t maxTerms = 64, maxFactors = 64;

DimExpr DimExprs::add(DimExpr a, DimExpr b) {
  Polynomial sum = polynomials[a.id];
  for (const auto &[monomial, coefficient] : polynomials[b.id])
    accumulate(sum, monomial, coefficient);
  if (sum.size() > maxTerms)
    return opaque('+', a, b, {});
  return intern(std::move(sum));
}

DimExpr DimExprs::subtract(DimExpr a, DimExpr b) {
  return add(a, multiply(b, constant(-1)));
}

static std::vector<int64_t> merged(const std::vector<int64_t> &x,
                                   const std::vector<int64_t> &y) {
  std::vector<int64_t> both;
  std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  return both;
}

DimExpr DimExprs::multiply(DimExpr a, DimExpr b) {
  const Polynomial &x = polynomials[a.id], &y = polynomials[b.id];
  if (x.size() * y.size() > maxTerms)
    return opaque('*', a, b, {});
  Polynomial product;
  for (const auto &[mx, cx] : x)
    for (const auto &[my, cy] : y) {
      if (mx.size() + my.size() > maxFactors)
        return opaque('*', a, b, {});
      accumulate(product, merged(mx, my), ops::multiply(cx, cy));
    }
  return intern(std::move(product));
}

/// Rounded down; b > 0.
static int64_t floorOf(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

std::pair<DimExpr, DimExpr> DimExprs::split(DimExpr a, int64_t b) {
  Polynomial quotient, rest;
  for (const auto &[monomial, coefficient] : polynomials[a.id]) {
    int64_t whole = floorOf(coefficient, b);
    if (whole != 0)
      quotient.emplace(monomial, whole);
    // The product may pass int64, the difference does not.
    int64_t left = ops::subtract(coefficient, ops::multiply(whole, b));
    if (left != 0)
      rest.emplace(monomial, left);
  }
  return {intern(std::move(quotient)), intern(std::move(rest))};
}

DimExpr DimExprs::divideDown(DimExpr a, int64_t b) {
  auto [quotient, rest] = split(a, b);
  ExprRange range = rangeOf(rest);
  ExprRange down{floorOf(range.least, b), floorOf(range.most, b)};
  if (down.least == down.most)
    return add(quotient, constant(down.least));
  // (x / c + y) / b = (x + c * y) / (c * b)
  constexpr int64_t mostDivisor = int64_t(1) << 31;
  for (const auto &[monomial, coefficient] : Polynomial(polynomials[rest.id])) {
    DimExpr term = intern({{monomial, 1}});
    const Definition *inner = coefficient == 1 ? definitionOf(term) : nullptr;
    std::optional<int64_t> by = inner ? divisorOf(*inner) : std::nullopt;
    if (!by || *by > mostDivisor || b > mostDivisor)
      continue;
    DimExpr outer = multiply(subtract(rest, term), constant(*by));
    DimExpr all = add(inner->a, outer);
    if (ExprRange bounds = rangeOf(all);
        bounds.least != ExprRange::lowest && bounds.most != ExprRange::highest)
      return add(quotient, divideDown(all, *by * b));
  }
  // Where nothing is negative it is the quotient of divide() as well.
  return add(quotient,
             opaque(down.least >= 0 ? '/' : '_', rest, constant(b), down));
}

/// One factor that, times b, is a: of the first term of b and some term of a.
std::optional<DimExpr> DimExprs::exactQuotient(DimExpr a, DimExpr b) {
  const Polynomial x = polynomials[a.id], y = polynomials[b.id];
  if (y.empty())
    return std::nullopt;
  const auto &[divisor, by] = *y.begin();
  auto accumulateQuotient = [&, &divisor = divisor,
                             &by = by](Polynomial &quotient, const auto &term) {
    const auto &[monomial, coefficient] = term;
    if (divisionUndefined(coefficient, by) || coefficient % by != 0)
      return;
    Monomial factor;
    std::set_difference(monomial.begin(), monomial.end(), divisor.begin(),
                        divisor.end(), std::back_inserter(factor));
    accumulate(quotient, factor, coefficient / by);
  };
  if (y.size() == 1) {
    Polynomial quotient;
    for (const auto &term : x)
      accumulateQuotient(quotient, term);
    DimExpr result = intern(std::move(quotient));
    return multiply(result, b) == a ? std::optional(result) : std::nullopt;
  }
  for (const auto &term : x) {
    Polynomial quotient;
    accumulateQuotient(quotient, term);
    if (DimExpr result = intern(std::move(quotient)); multiply(result, b) == a)
      return result;
  }
  return std::nullopt;
}

std::optional<DimExpr> DimExprs::divide(DimExpr a, DimExpr b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (y == 0 || (x && y && divisionUndefined(*x, *y)))
    return std::nullopt;
  if (x && y)
    return constant(*x / *y);
  // Only for numbers: a divisor that may be 0 leaves the result undefined.
  if (y)
    if (std::optional<DimExpr> exact = exactQuotient(a, b))
      return exact;
  ExprRange above = rangeOf(a), below = rangeOf(b);
  if (y && *y > 0 && above.least >= 0)
    return divideDown(a, *y);
  if (y && *y > 0 && above.most <= 0 && above.least != ExprRange::lowest)
    return subtract(constant(0), divideDown(subtract(constant(0), a), *y));
  bool isPositive = above.least >= 0 && below.least >= 0;
  return opaque('/', a, b, isPositive ? ExprRange{0, above.most} : ExprRange());
}

DimExpr DimExprs::divideExactly(DimExpr a, DimExpr b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (x && y && *y != 0 && !divisionUndefined(*x, *y) && *x % *y == 0)
    return constant(*x / *y);
  if (x == 0)
    return a;
  if (std::optional<DimExpr> exact = exactQuotient(a, b))
    return *exact;
  return opaque(':', a, b, ExprRange::dimension());
}

std::optional<DimExpr> DimExprs::remainder(DimExpr a, DimExpr b,
                                           bool truncate) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (y == 0 || (x && y && divisionUndefined(*x, *y)))
    return std::nullopt;
  if (x && y) {
    int64_t rest = *x % *y;
    bool otherSign = rest != 0 && (rest < 0) != (*y < 0);
    return constant(otherSign && !truncate ? rest + *y : rest);
  }
  if (!y || *y < 0 || (truncate && rangeOf(a).least < 0))
    return opaque(truncate ? 'f' : '%', a, b, {});
  DimExpr rest = split(a, *y).second;
  ExprRange all{0, *y - 1};
  return rangeOf(rest).isWithin(all) ? rest : opaque('%', rest, b, all);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

// Nothing that is tried below passes int64.
static constexpr int64_t mostFactor = 1 << 20;
static bool isSmall(ExprRange range) {
  constexpr int64_t most = int64_t(1) << 40;
  return range.isWithin({-most, most});
}

/// rest + factor * atom, for all that the atom may be by its definition.
bool DimExprs::isNotNegative(DimExpr rest, int64_t factor,
                             const Definition &atom, unsigned depth) {
  auto with = [&](DimExpr bound, int64_t times = 1) {
    if (!isSmall(rangeOf(bound)))
      return false;
    DimExpr all =
        add(multiply(rest, constant(times)), multiply(bound, constant(factor)));
    return isNotNegative(all, depth - 1);
  };
  switch (atom.operation) {
  case 's':
    return with(atom.b) && with(atom.c);
  case 'm':
    return factor < 0 && (with(atom.a) || with(atom.b));
  case 'M':
    return factor > 0 && (with(atom.a) || with(atom.b));
  case '%':
    return factor < 0 && rangeOf(atom.a).least >= 0 && with(atom.a);
  case '/':
  case '_':
    // a - b < a / b * b <= a
    if (std::optional<int64_t> by = divisorOf(atom); by && *by <= mostFactor)
      return with(factor < 0 ? atom.a : subtract(atom.a, constant(*by - 1)),
                  *by);
    return false;
  default:
    return false;
  }
}

/// True if it is proved. The atoms are looked into `depth` deep.
bool DimExprs::isNotNegative(DimExpr a, unsigned depth) {
  constexpr size_t manyTerms = 4;
  ExprRange range = rangeOf(a);
  if (range.least >= 0)
    return true;
  const Polynomial terms = polynomials[a.id];
  if (depth == 0 || range.most < 0 || terms.size() > manyTerms ||
      !isSmall(range))
    return false;
  for (const auto &[monomial, coefficient] : terms) {
    auto found = monomial.size() == 1 ? definitions.find(monomial[0])
                                      : definitions.end();
    if (found == definitions.end() || std::abs(coefficient) > mostFactor)
      continue;
    Definition atom = found->second;
    DimExpr rest = subtract(a, intern({{monomial, coefficient}}));
    if (isNotNegative(rest, coefficient, atom, depth))
      return true;
  }
  return false;
}

DimExpr DimExprs::less(DimExpr a, DimExpr b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x < *y);
  if (a == b)
    return constant(0);
  ExprRange p = rangeOf(a), q = rangeOf(b), difference = {};
  // Numbers near the ends of int64: their difference would pass it.
  if (p.most < q.least)
    return constant(1);
  if (p.least >= q.most)
    return constant(0);
  difference = rangeOf(subtract(a, b));
  if (difference.most < 0)
    return constant(1);
  if (difference.least >= 0)
    return constant(0);
  constexpr unsigned depth = 2;
  if (isNotNegative(subtract(a, b), depth))
    return constant(0);
  if (isNotNegative(subtract(subtract(b, a), constant(1)), depth))
    return constant(1);
  return opaque('l', a, b, ExprRange::truth());
}

DimExpr DimExprs::equal(DimExpr a, DimExpr b) {
  if (a == b)
    return constant(1);
  if (valueOf(less(a, b)) == 1 || valueOf(less(b, a)) == 1)
    return constant(0);
  if (valueOf(a) && valueOf(b))
    return constant(0);
  return opaqueOfEither('=', a, b, ExprRange::truth());
}

DimExpr DimExprs::logicalNot(DimExpr a) { return subtract(constant(1), a); }

DimExpr DimExprs::logicalAnd(DimExpr a, DimExpr b) {
  std::optional<int64_t> x = valueOf(a), y = valueOf(b);
  if (x == 0 || y == 0 || add(a, b) == constant(1)) // a and not a
    return constant(0);
  if (x || a == b)
    return b;
  return y ? a : opaqueOfEither('&', a, b, ExprRange::truth());
}

static ExprRange either(ExprRange a, ExprRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

DimExpr DimExprs::select(DimExpr condition, DimExpr a, DimExpr b) {
  if (a == b)
    return a;
  if (std::optional<int64_t> value = valueOf(condition))
    return *value ? a : b;
  if (definitionOf(logicalNot(condition))) {
    condition = logicalNot(condition);
    std::swap(a, b);
  }
  if (valueOf(a) == 1 && valueOf(b) == 0)
    return condition;
  if (valueOf(a) == 0 && valueOf(b) == 1)
    return logicalNot(condition);
  if (const Definition *test = definitionOf(condition)) {
    bool isSame = test->a == a && test->b == b;
    bool isOther = test->a == b && test->b == a;
    if (test->operation == '=' && (isSame || isOther))
      return b;
    if (test->operation == 'l' && isSame)
      return minimum(a, b);
    if (test->operation == 'l' && isOther)
      return maximum(a, b);
  }
  return opaque('s', condition, a, b, either(rangeOf(a), rangeOf(b)));
}

DimExpr DimExprs::minimum(DimExpr a, DimExpr b) {
  if (std::optional<int64_t> isLess = valueOf(less(a, b)))
    return *isLess ? a : b;
  if (valueOf(less(b, a)) == 0)
    return a;
  ExprRange x = rangeOf(a), y = rangeOf(b);
  return opaqueOfEither('m', a, b,
                        {std::min(x.least, y.least), std::min(x.most, y.most)});
}

bool DimExprs::isCapped(DimExpr a, DimExpr b, int64_t least) const {
  const Definition *atom = definitionOf(a);
  if (!atom || atom->operation != 'm')
    return false;
  DimExpr x = atom->a, y = atom->b;
  if (x == b)
    std::swap(x, y);
  std::optional<int64_t> cap = valueOf(x);
  return y == b && cap && *cap >= least;
}

DimExpr DimExprs::maximum(DimExpr a, DimExpr b) {
  if (std::optional<int64_t> isLess = valueOf(less(a, b)))
    return *isLess ? b : a;
  if (valueOf(less(b, a)) == 0)
    return b;
  ExprRange x = rangeOf(a), y = rangeOf(b);
  return opaqueOfEither('M', a, b,
                        {std::max(x.least, y.least), std::max(x.most, y.most)});
}

DimExpr DimExprs::absolute(DimExpr a) {
  if (std::optional<int64_t> value = valueOf(a))
    return constant(ops::absolute(*value));
  if (valueOf(less(a, constant(0))) == 0)
    return a;
  if (rangeOf(a).most <= 0 && rangeOf(a).least != ExprRange::lowest)
    return subtract(constant(0), a);
  return opaque('|', a, a, {}); // the smallest integer is its own
}

DimExpr DimExprs::wrap(DimExpr a, DataType type) {
  ExprRange range = ExprRange::of(type);
  if (rangeOf(a).isWithin(range))
    return a;
  if (type == DataType::Bool)
    return logicalNot(equal(a, constant(0)));
  std::optional<int64_t> value = valueOf(a);
  if (!value)
    return opaque('w', a, constant(int64_t(type)), range);
  unsigned unused = 64 - bitWidth(type);
  uint64_t bits = uint64_t(*value) << unused;
  return constant(isUnsigned(type) ? int64_t(bits >> unused)
                                   : int64_t(bits) >> unused);
}
