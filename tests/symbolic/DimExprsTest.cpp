//===- DimExprsTest.cpp - Integers that are only partly known -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/symbolic/DimExprs.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <functional>
#include <limits>
#include <map>
#include <random>

using namespace onnxfold;

namespace {

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

struct DimExprsTest : testing::Test {
  DimExprs s;
  DimExpr number(int64_t v) { return s.constant(v); }
  std::optional<int64_t> quotient(int64_t a, int64_t b) {
    auto q = s.divide(number(a), number(b));
    return q ? s.valueOf(*q) : std::nullopt;
  }
};

} // namespace

TEST_F(DimExprsTest, constantsAreTheirValues) {
  for (int64_t v : {int64_t(0), int64_t(1), int64_t(-1), smallest, largest}) {
    EXPECT_EQ(s.valueOf(number(v)), v);
    EXPECT_EQ(number(v), number(v));
  }
  EXPECT_NE(number(1), number(2));
}

TEST_F(DimExprsTest, equalNamesAreOneSymbol) {
  EXPECT_EQ(s.named("batch"), s.named("batch"));
  EXPECT_NE(s.named("batch"), s.named("Batch"));
  EXPECT_FALSE(s.valueOf(s.named("batch")));
}

TEST_F(DimExprsTest, freshEqualsNothingElse) {
  DimExpr a = s.fresh(), b = s.fresh();
  EXPECT_NE(a, b);
  EXPECT_NE(a, s.named("batch"));
  EXPECT_EQ(s.valueOf(s.subtract(a, a)), 0);
  EXPECT_FALSE(s.valueOf(s.subtract(a, b)));
}

TEST_F(DimExprsTest, sumsAndProductsInAnyOrderAreOneHandle) {
  DimExpr a = s.named("a"), b = s.named("b"), c = s.named("c");
  EXPECT_EQ(s.add(a, s.add(b, c)), s.add(s.add(c, a), b));
  EXPECT_EQ(s.multiply(a, s.add(b, number(2))),
            s.add(s.multiply(number(2), a), s.multiply(b, a)));
  // (a + b)(a - b) = a^2 - b^2
  EXPECT_EQ(s.multiply(s.add(a, b), s.subtract(a, b)),
            s.subtract(s.multiply(a, a), s.multiply(b, b)));
  EXPECT_NE(s.multiply(a, b), s.add(a, b));
  EXPECT_EQ(s.multiply(a, number(0)), number(0));
}

TEST_F(DimExprsTest, arithmeticWraps) {
  EXPECT_EQ(s.valueOf(s.add(number(largest), number(1))), smallest);
  EXPECT_EQ(s.valueOf(s.multiply(number(smallest), number(-1))), smallest);
  EXPECT_EQ(s.valueOf(s.subtract(number(smallest), number(1))), largest);
}

TEST_F(DimExprsTest, divisionOfNumbersTruncates) {
  EXPECT_EQ(quotient(7, 2), 3);
  EXPECT_EQ(quotient(-7, 2), -3);
  EXPECT_EQ(quotient(7, -2), -3);
  EXPECT_EQ(quotient(smallest, 1), smallest);
  EXPECT_EQ(quotient(smallest, 2), smallest / 2);
}

TEST_F(DimExprsTest, undefinedDivisions) {
  EXPECT_FALSE(s.divide(number(1), number(0)));
  EXPECT_FALSE(s.divide(number(0), number(0)));
  EXPECT_FALSE(s.divide(s.named("b"), number(0)));
  EXPECT_FALSE(s.divide(number(smallest), number(-1)));
}

TEST_F(DimExprsTest, exactQuotientsComeOut) {
  DimExpr b = s.named("b"), n = s.named("n");
  EXPECT_EQ(*s.divide(s.multiply(b, number(12)), number(12)), b);
  EXPECT_EQ(*s.divide(s.multiply(b, number(12)), number(4)),
            s.multiply(b, number(3)));
  EXPECT_EQ(*s.divide(s.add(s.multiply(b, number(6)),
                            s.add(s.multiply(n, number(-4)), number(8))),
                      number(2)),
            s.add(s.multiply(b, number(3)),
                  s.add(s.multiply(n, number(-2)), number(4))));
  EXPECT_EQ(*s.divide(b, number(1)), b);
  EXPECT_EQ(*s.divide(s.multiply(b, number(6)), number(-1)),
            s.multiply(b, number(-6)));
}

TEST_F(DimExprsTest, otherQuotientsAreOpaqueButEqualThemselves) {
  DimExpr b = s.named("b"), n = s.named("n");
  DimExpr half = *s.divide(b, number(2));
  EXPECT_FALSE(s.valueOf(half));
  EXPECT_EQ(half, *s.divide(b, number(2)));
  EXPECT_NE(half, *s.divide(b, number(3)));
  EXPECT_NE(half, *s.divide(n, number(2)));
  // 2 * (b / 2) is not b where b is odd.
  EXPECT_NE(s.multiply(half, number(2)), b);
  // (6b + 3) / 2 does not come out, (b * n) / n neither: n may be 0.
  EXPECT_FALSE(s.valueOf(
      *s.divide(s.add(s.multiply(b, number(6)), number(3)), number(2))));
  EXPECT_NE(*s.divide(s.multiply(b, n), n), b);
  EXPECT_NE(*s.divide(b, b), number(1));
  EXPECT_NE(*s.divide(number(0), b), number(0));
  // The coefficient that -1 cannot divide.
  EXPECT_FALSE(
      s.valueOf(*s.divide(s.multiply(b, number(smallest)), number(-1))));
}

TEST_F(DimExprsTest, textComesBack) {
  EXPECT_EQ(s.text(s.named("batch")), "batch");
  DimExpr twice = s.multiply(s.named("batch"), number(2));
  std::string text = s.text(twice);
  EXPECT_EQ(s.text(twice), text);
  EXPECT_EQ(s.named(text), twice);
  DimExpr unknown = s.fresh();
  EXPECT_EQ(s.named(s.text(unknown)), unknown);
  EXPECT_NE(s.text(unknown), text);
}

// A model whose dimension is called like one of our texts took over what the
// text denoted, and Reshape folded with another dimension's value.
TEST_F(DimExprsTest, namesLikeTextsAreUnknown) {
  std::vector<DimExpr> imposters;
  for (int i = 0; i < 8; ++i)
    imposters.push_back(s.named("?" + std::to_string(i)));
  std::vector<DimExpr> real;
  for (int i = 0; i < 8; ++i)
    real.push_back(s.fresh());
  for (DimExpr symbol : real)
    EXPECT_EQ(s.named(s.text(symbol)), symbol);
  for (DimExpr symbol : imposters) {
    EXPECT_EQ(s.named(s.text(symbol)), symbol);
    for (DimExpr other : real)
      EXPECT_NE(symbol, other);
  }
}

TEST_F(DimExprsTest, emptyNameIsAName) {
  EXPECT_EQ(s.named(""), s.named(""));
  EXPECT_NE(s.named(""), s.named("x"));
}

// Squaring forty times would take 2^40 factors.
TEST_F(DimExprsTest, longProductsAndSumsBecomeUnknowns) {
  DimExpr x = s.named("x");
  for (int i = 0; i < 200; ++i)
    x = s.multiply(x, x);
  EXPECT_FALSE(s.valueOf(x));
  DimExpr sum = number(0);
  std::vector<DimExpr> atoms;
  for (int i = 0; i < 20'000; ++i)
    sum = s.add(sum, atoms.emplace_back(s.fresh()));
  EXPECT_FALSE(s.valueOf(sum));
  // Still equal to itself, made the same way.
  DimExpr again = number(0);
  for (DimExpr atom : atoms)
    again = s.add(again, atom);
  EXPECT_EQ(sum, again);
  EXPECT_EQ(s.valueOf(s.subtract(sum, sum)), 0);
}

TEST_F(DimExprsTest, dimensionsAreNotNegative) {
  DimExpr b = s.named("b"), unknown = s.fresh();
  EXPECT_EQ(s.less(b, number(0)), number(0));
  EXPECT_EQ(s.equal(b, number(-1)), number(0));
  EXPECT_EQ(s.less(number(-1), s.multiply(b, s.named("n"))), number(1));
  EXPECT_EQ(s.maximum(b, number(0)), b);
  EXPECT_EQ(s.minimum(b, number((int64_t(1) << 31) - 1)), b);
  EXPECT_EQ(s.absolute(b), b);
  // It may be 0, or 1, and of an unknown nothing is known.
  EXPECT_FALSE(s.valueOf(s.equal(b, number(0))));
  EXPECT_FALSE(s.valueOf(s.less(b, number(2))));
  EXPECT_FALSE(s.valueOf(s.less(unknown, number(0))));
  EXPECT_NE(s.absolute(unknown), unknown);
  EXPECT_NE(s.maximum(unknown, number(0)), unknown);
}

// Beyond 2^63 the product of dimensions might come out negative.
TEST_F(DimExprsTest, nothingIsConcludedWhereAProductMightWrap) {
  DimExpr b = s.named("b");
  DimExpr fourth = s.multiply(s.multiply(b, b), s.multiply(b, b));
  EXPECT_FALSE(s.valueOf(s.less(fourth, number(0))));
  EXPECT_EQ(s.less(s.multiply(b, b), number(0)), number(0));
}

TEST_F(DimExprsTest, quotientsAndRemainders) {
  DimExpr h = s.named("h");
  DimExpr more = s.add(s.multiply(h, number(8)), number(5));
  EXPECT_EQ(*s.divide(more, number(8)), h);
  EXPECT_EQ(*s.remainder(more, number(8), false), number(5));
  // (h - 4) / 4 + 1, as a convolution has it, is h / 4 rounded down.
  EXPECT_EQ(s.add(s.divideDown(s.subtract(h, number(4)), 4), number(1)),
            s.divideDown(h, 4));
  EXPECT_EQ(s.divideDown(h, 4), *s.divide(h, number(4)));
  // Rounded to zero and down differ below zero.
  DimExpr below = s.subtract(h, number(1));
  EXPECT_NE(*s.divide(below, number(2)), s.divideDown(below, 2));
  EXPECT_EQ(s.divideExactly(s.multiply(h, more), more), h);
  EXPECT_EQ(s.divideExactly(s.multiply(h, number(6)), s.multiply(h, number(2))),
            number(3));
  EXPECT_FALSE(s.valueOf(s.divideExactly(h, number(2))));
}

TEST_F(DimExprsTest, narrowTypes) {
  DimExpr b = s.named("b");
  EXPECT_EQ(s.wrap(b, DataType::Int32), b);
  EXPECT_NE(s.wrap(b, DataType::Int16), b);
  EXPECT_EQ(s.wrap(b, DataType::Int16), s.wrap(b, DataType::Int16));
  EXPECT_NE(s.wrap(s.multiply(b, b), DataType::Int32), s.multiply(b, b));
  EXPECT_EQ(s.wrap(number(200), DataType::Int8), number(-56));
  EXPECT_EQ(s.wrap(number(-1), DataType::UInt8), number(255));
  EXPECT_EQ(s.wrap(number(2), DataType::Bool), number(1));
}

TEST_F(DimExprsTest, truths) {
  DimExpr b = s.named("b"), n = s.named("n");
  DimExpr isLess = s.less(b, n), isSame = s.equal(n, b);
  EXPECT_EQ(isSame, s.equal(b, n));
  EXPECT_EQ(s.logicalNot(s.logicalNot(isLess)), isLess);
  EXPECT_EQ(s.logicalAnd(isLess, s.logicalNot(isLess)), number(0));
  EXPECT_EQ(s.logicalAnd(isLess, number(1)), isLess);
  EXPECT_EQ(s.select(isLess, b, b), b);
  EXPECT_EQ(s.select(number(0), n, b), b);
  EXPECT_NE(s.select(isLess, n, b), s.select(isSame, n, b));
}

namespace {

/// Expressions beside what they are for some values of the dimensions.
struct Sampled {
  static constexpr int samples = 6;
  DimExpr symbol;
  std::array<int64_t, samples> values;
};

int64_t floorDivision(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/// A random operation on the symbols, and on each sample.
class RandomExpressions {
public:
  explicit RandomExpressions(unsigned seed) : random(seed) {
    for (const char *name : {"a", "b", "c"}) {
      Sampled dimension{s.named(name), {}};
      for (int64_t &value : dimension.values)
        value = pick(4) ? pick(40) : 0;
      pool.push_back(dimension);
    }
    for (int64_t value : {-3, -1, 0, 1, 2, 3, 4, 12})
      pool.push_back({s.constant(value), filled(value)});
  }

  /// Made of members of the pool; nothing where it is not defined.
  std::optional<Sampled> make() {
    const Sampled &x = pool[pick(pool.size())], &y = pool[pick(pool.size())];
    Sampled out{{}, {}};
    auto each = [&](DimExpr symbol, auto f) {
      out.symbol = symbol;
      for (int i = 0; i < Sampled::samples; ++i)
        out.values[i] = f(x.values[i], y.values[i]);
      return out;
    };
    bool mayDivide = !llvm::is_contained(y.values, 0);
    std::optional<int64_t> by = s.valueOf(y.symbol);
    switch (pick(10)) {
    case 0:
      return each(s.add(x.symbol, y.symbol), std::plus<>());
    case 1:
      return each(s.subtract(x.symbol, y.symbol), std::minus<>());
    case 2:
      return each(s.multiply(x.symbol, y.symbol), std::multiplies<>());
    case 3:
      if (auto quotient = s.divide(x.symbol, y.symbol); quotient && mayDivide)
        return each(*quotient, std::divides<>());
      return std::nullopt;
    case 4:
      if (auto rest = s.remainder(x.symbol, y.symbol, true); rest && mayDivide)
        return each(*rest, std::modulus<>());
      return std::nullopt;
    case 5:
      if (auto rest = s.remainder(x.symbol, y.symbol, false); rest && mayDivide)
        return each(*rest, [](int64_t a, int64_t b) {
          return a - floorDivision(a, b) * b;
        });
      return std::nullopt;
    case 6:
      return each(s.minimum(x.symbol, y.symbol),
                  [](int64_t a, int64_t b) { return std::min(a, b); });
    case 7:
      return each(s.maximum(x.symbol, y.symbol),
                  [](int64_t a, int64_t b) { return std::max(a, b); });
    case 8:
      return by && *by > 0 ? std::optional(each(s.divideDown(x.symbol, *by),
                                                floorDivision))
                           : std::nullopt;
    default:
      return each(s.select(s.less(x.symbol, y.symbol), x.symbol,
                           s.equal(x.symbol, y.symbol)),
                  [](int64_t a, int64_t b) { return a < b ? a : a == b; });
    }
  }

  static std::array<int64_t, Sampled::samples> filled(int64_t value) {
    std::array<int64_t, Sampled::samples> all;
    all.fill(value);
    return all;
  }
  size_t pick(size_t n) { return random() % n; }

  DimExprs s;
  std::mt19937 random;
  std::vector<Sampled> pool;
};

} // namespace

TEST(DimExprsPropertyTest, whatIsKnownHoldsForAllValues) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomExpressions expressions(seed);
    std::map<int64_t, Sampled> bySymbol;
    for (int step = 0; step < 120; ++step) {
      std::optional<Sampled> made = expressions.make();
      if (!made || llvm::any_of(made->values, [](int64_t v) {
            return std::abs(v) > 1'000'000;
          }))
        continue;
      ExprRange range = expressions.s.rangeOf(made->symbol);
      for (int64_t value : made->values) {
        ASSERT_GE(value, range.least) << "seed " << seed;
        ASSERT_LE(value, range.most) << "seed " << seed;
      }
      if (std::optional<int64_t> known = expressions.s.valueOf(made->symbol)) {
        ASSERT_EQ(made->values, RandomExpressions::filled(*known))
            << "seed " << seed;
      }
      auto [it, isNew] = bySymbol.try_emplace(made->symbol.id, *made);
      ASSERT_EQ(it->second.values, made->values) << "seed " << seed;
      expressions.pool.push_back(*made);
    }
  }
}

TEST_F(DimExprsTest, whatIsCappedIsKnown) {
  DimExpr b = s.named("b"), n = s.named("n");
  DimExpr capped = s.minimum(b, number(512));
  EXPECT_TRUE(s.isCapped(capped, b, 2));
  EXPECT_TRUE(s.isCapped(s.minimum(number(512), b), b, 512));
  EXPECT_FALSE(s.isCapped(capped, b, 513));
  EXPECT_FALSE(s.isCapped(capped, n, 2));
  EXPECT_FALSE(s.isCapped(b, b, 2));
  EXPECT_FALSE(s.isCapped(s.minimum(b, n), b, 2));
}

// Rounding the smallest integer down to a multiple passed int64.
TEST_F(DimExprsTest, theEndsOfInt64) {
  DimExpr b = s.named("b");
  DimExpr most = s.add(b, number(smallest));
  EXPECT_FALSE(s.valueOf(s.divideDown(most, largest)));
  EXPECT_EQ(s.divideDown(number(smallest), largest), number(-2));
  EXPECT_EQ(*s.remainder(s.multiply(b, number(smallest)), number(2), false),
            number(0));
  EXPECT_EQ(s.less(number(smallest), number(largest)), number(1));
  EXPECT_EQ(s.equal(number(smallest), number(largest)), number(0));
  EXPECT_EQ(s.absolute(number(smallest)), number(smallest));
}

TEST_F(DimExprsTest, whatIsMadeOfOthersIsComparedWithThem) {
  DimExpr b = s.named("b"), n = s.named("n");
  DimExpr half = *s.divide(b, number(2));
  EXPECT_EQ(s.less(b, half), number(0));
  EXPECT_EQ(s.minimum(half, b), half);
  EXPECT_EQ(s.absolute(s.subtract(b, half)), s.subtract(b, half));
  EXPECT_EQ(s.less(half, s.add(b, number(1))), number(1));
  EXPECT_FALSE(s.valueOf(s.less(half, b))); // of 0 they are equal
  DimExpr least = s.minimum(b, n), most = s.maximum(b, n);
  EXPECT_EQ(s.less(b, least), number(0));
  EXPECT_EQ(s.less(most, n), number(0));
  EXPECT_EQ(s.maximum(least, n), n);
  EXPECT_EQ(s.minimum(most, b), b);
  EXPECT_EQ(s.less(most, least), number(0));
  EXPECT_FALSE(s.valueOf(s.less(least, most)));
  DimExpr rest = *s.remainder(b, number(4), false);
  EXPECT_EQ(s.less(b, rest), number(0));
  DimExpr either = s.select(s.equal(n, number(7)), b, s.add(b, number(2)));
  EXPECT_EQ(s.less(either, b), number(0));
  EXPECT_FALSE(s.valueOf(s.less(b, either)));
}

TEST_F(DimExprsTest, quotientsOfQuotients) {
  DimExpr b = s.named("b");
  DimExpr half = *s.divide(b, number(2));
  EXPECT_EQ(*s.divide(half, number(3)), *s.divide(b, number(6)));
  // ((b + 1) / 2 + 1) / 2 = (b + 3) / 4
  DimExpr up = *s.divide(s.add(b, number(1)), number(2));
  EXPECT_EQ(*s.divide(s.add(up, number(1)), number(2)),
            *s.divide(s.add(b, number(3)), number(4)));
  // What is rounded to zero is symmetric.
  DimExpr below = s.multiply(b, number(-1));
  EXPECT_EQ(*s.divide(below, number(2)), s.multiply(half, number(-1)));
  EXPECT_EQ(s.absolute(below), b);
  // 2 / 2 and 3 / 2
  DimExpr either = s.select(s.equal(b, number(7)), number(2), number(3));
  EXPECT_EQ(*s.divide(either, number(2)), number(1));
}

TEST_F(DimExprsTest, choicesThatAreNone) {
  DimExpr b = s.named("b"), n = s.named("n");
  DimExpr isOne = s.equal(b, number(1)), isLess = s.less(b, n);
  EXPECT_EQ(s.select(isOne, number(1), b), b);
  EXPECT_EQ(s.select(s.logicalNot(isOne), b, number(1)), b);
  EXPECT_EQ(s.select(s.equal(b, n), b, n), n);
  EXPECT_EQ(s.select(isLess, b, n), s.minimum(b, n));
  EXPECT_EQ(s.select(isLess, n, b), s.maximum(n, b));
  EXPECT_EQ(s.select(isLess, number(1), number(0)), isLess);
  EXPECT_EQ(s.select(isLess, number(0), number(1)), s.logicalNot(isLess));
  EXPECT_EQ(s.select(s.logicalNot(isLess), b, number(5)),
            s.select(isLess, number(5), b));
}
