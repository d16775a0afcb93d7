//===- DimTexts.cpp - Names of dimensions that are expressions ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/specialize/DimTexts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// A number, or something that is not known or has no value.
struct Fraction {
  int64_t over = 0, under = 1;
  enum class State { Known, Open, Undefined } state = State::Known;
};

using Sizes = llvm::function_ref<std::optional<int64_t>(StringRef)>;

/// Reads a formula and computes it on the way.
class Formula {
public:
  Formula(StringRef text, Sizes sizeOf) : rest(text), sizeOf(sizeOf) {}

  std::optional<Fraction> read() {
    Fraction value = sum();
    skipSpaces();
    return isBad || !rest.empty() || !hasOperation ? std::nullopt
                                                   : std::optional(value);
  }

private:
  Fraction sum();
  Fraction product();
  Fraction factor();
  Fraction call(StringRef name);
  StringRef name();
  bool take(StringRef symbol) {
    skipSpaces();
    return rest.consume_front(symbol);
  }
  void skipSpaces() { rest = rest.ltrim(' '); }
  Fraction fail() {
    isBad = true;
    return {};
  }

  StringRef rest;
  Sizes sizeOf;
  bool isBad = false, hasOperation = false;
  unsigned depth = 0;
};

} // namespace

static Fraction undefined() { return {0, 1, Fraction::State::Undefined}; }

/// The fraction in lowest terms, with a positive denominator.
static Fraction fraction(int64_t over, int64_t under) {
  constexpr int64_t most = int64_t(1) << 62;
  if (under == 0 || std::max(std::abs(over), std::abs(under)) > most)
    return undefined();
  int64_t divisor = std::gcd(over, under) * (under < 0 ? -1 : 1);
  return {over / divisor, under / divisor};
}

/// Null where both are numbers.
static const Fraction *unknownOf(const Fraction &a, const Fraction &b) {
  if (a.state != Fraction::State::Known)
    return &a;
  return b.state != Fraction::State::Known ? &b : nullptr;
}

static Fraction multiply(const Fraction &a, const Fraction &b) {
  if (const Fraction *unknown = unknownOf(a, b))
    return *unknown;
  int64_t over, under;
  if (llvm::MulOverflow(a.over, b.over, over) ||
      llvm::MulOverflow(a.under, b.under, under))
    return undefined();
  return fraction(over, under);
}

static Fraction divide(const Fraction &a, const Fraction &b) {
  if (const Fraction *unknown = unknownOf(a, b))
    return *unknown;
  return b.over == 0 ? undefined() : multiply(a, fraction(b.under, b.over));
}

static Fraction negate(Fraction a) {
  a.over = -a.over;
  return a;
}

static Fraction add(const Fraction &a, const Fraction &b) {
  if (const Fraction *unknown = unknownOf(a, b))
    return *unknown;
  int64_t x, y, over, under;
  if (llvm::MulOverflow(a.over, b.under, x) ||
      llvm::MulOverflow(b.over, a.under, y) || llvm::AddOverflow(x, y, over) ||
      llvm::MulOverflow(a.under, b.under, under))
    return undefined();
  return fraction(over, under);
}

static Fraction floorOf(Fraction a) {
  a.over = llvm::divideFloorSigned(a.over, a.under);
  a.under = 1;
  return a;
}

static Fraction ceilingOf(const Fraction &a) {
  return negate(floorOf(negate(a)));
}

/// a - b * floor(a / b)
static Fraction remainder(const Fraction &a, const Fraction &b) {
  return add(a, negate(multiply(b, floorOf(divide(a, b)))));
}

static Fraction larger(const Fraction &a, const Fraction &b, bool isMax) {
  Fraction difference = add(a, negate(b));
  if (difference.state != Fraction::State::Known)
    return difference;
  return (difference.over > 0) == isMax ? a : b;
}

/// A letter, then letters, digits, and what stands between two of them.
StringRef Formula::name() {
  size_t end = 0;
  while (end < rest.size() &&
         (llvm::isAlnum(rest[end]) || rest[end] == '_' ||
          (llvm::is_contained({'.', '-', ':'}, rest[end]) &&
           end + 1 < rest.size() && llvm::isAlpha(rest[end + 1]))))
    ++end;
  StringRef found = rest.take_front(end);
  rest = rest.drop_front(end);
  return found;
}

Fraction Formula::call(StringRef name) {
  hasOperation = true;
  Fraction first = sum();
  if (name == "floor" || name == "ceiling" || name == "ceil")
    return !take(")")        ? fail()
           : name == "floor" ? floorOf(first)
                             : ceilingOf(first);
  bool isMax = name.equals_insensitive("max");
  if (!isMax && !name.equals_insensitive("min") && name != "Mod")
    return fail();
  while (!isBad && take(",")) {
    Fraction next = sum();
    first = name == "Mod" ? remainder(first, next) : larger(first, next, isMax);
  }
  return take(")") ? first : fail();
}

Fraction Formula::factor() {
  constexpr unsigned mostDepth = 64;
  skipSpaces();
  if (isBad || ++depth > mostDepth)
    return fail();
  Fraction value;
  int64_t number;
  if (take("-")) {
    value = negate(factor());
  } else if (take("(")) {
    value = sum();
    if (!take(")"))
      return fail();
  } else if (!rest.empty() && llvm::isDigit(rest.front())) {
    if (rest.consumeInteger(10, number))
      return fail();
    value.over = number;
  } else {
    StringRef found = name();
    if (found.empty())
      return fail();
    if (rest.consume_front("("))
      value = call(found);
    else if (std::optional<int64_t> size = sizeOf(found))
      value.over = *size;
    else
      value.state = Fraction::State::Open;
  }
  --depth;
  return value;
}

Fraction Formula::product() {
  Fraction value = factor();
  while (!isBad) {
    bool isFloor = take("//");
    bool isTimes = !isFloor && take("*");
    if (!isFloor && !isTimes && !take("/"))
      return value;
    hasOperation = true;
    Fraction next = factor();
    value = isTimes   ? multiply(value, next)
            : isFloor ? floorOf(divide(value, next))
                      : divide(value, next);
  }
  return value;
}

Fraction Formula::sum() {
  Fraction value = product();
  while (!isBad) {
    bool isPlus = take("+");
    if (!isPlus && !take("-"))
      return value;
    hasOperation = true;
    Fraction next = product();
    value = add(value, isPlus ? next : negate(next));
  }
  return value;
}

DimText onnxfold::evaluateDimText(StringRef text, Sizes sizeOf) {
  std::optional<Fraction> value = Formula(text, sizeOf).read();
  if (!value)
    return {DimText::Kind::None};
  if (value->state == Fraction::State::Open)
    return {DimText::Kind::Open};
  if (value->state == Fraction::State::Undefined || value->under != 1 ||
      value->over < 0)
    return {DimText::Kind::Impossible};
  return {DimText::Kind::Known, value->over};
}

bool onnxfold::mentionsDim(StringRef text, StringRef name) {
  bool found = false;
  DimText value = evaluateDimText(text, [&](StringRef one) {
    found |= one == name;
    return std::optional<int64_t>();
  });
  return found && value.kind != DimText::Kind::None;
}
