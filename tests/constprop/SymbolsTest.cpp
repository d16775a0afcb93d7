//===- SymbolsTest.cpp - Integers that are only partly known --------------===//

#include "onnxfold/constprop/Symbols.h"
#include "gtest/gtest.h"
#include <limits>

using namespace onnxfold;

namespace {

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

struct SymbolsTest : testing::Test {
  Symbols s;
  SymbolHandle number(int64_t v) { return s.constant(v); }
  std::optional<int64_t> quotient(int64_t a, int64_t b) {
    auto q = s.divide(number(a), number(b));
    return q ? s.valueOf(*q) : std::nullopt;
  }
};

} // namespace

TEST_F(SymbolsTest, constantsAreTheirValues) {
  for (int64_t v : {int64_t(0), int64_t(1), int64_t(-1), smallest, largest}) {
    EXPECT_EQ(s.valueOf(number(v)), v);
    EXPECT_EQ(number(v), number(v));
  }
  EXPECT_NE(number(1), number(2));
}

TEST_F(SymbolsTest, equalNamesAreOneSymbol) {
  EXPECT_EQ(s.named("batch"), s.named("batch"));
  EXPECT_NE(s.named("batch"), s.named("Batch"));
  EXPECT_FALSE(s.valueOf(s.named("batch")));
}

TEST_F(SymbolsTest, freshEqualsNothingElse) {
  SymbolHandle a = s.fresh(), b = s.fresh();
  EXPECT_NE(a, b);
  EXPECT_NE(a, s.named("batch"));
  EXPECT_EQ(s.valueOf(s.subtract(a, a)), 0);
  EXPECT_FALSE(s.valueOf(s.subtract(a, b)));
}

TEST_F(SymbolsTest, sumsAndProductsInAnyOrderAreOneHandle) {
  SymbolHandle a = s.named("a"), b = s.named("b"), c = s.named("c");
  EXPECT_EQ(s.add(a, s.add(b, c)), s.add(s.add(c, a), b));
  EXPECT_EQ(s.multiply(a, s.add(b, number(2))),
            s.add(s.multiply(number(2), a), s.multiply(b, a)));
  // (a + b)(a - b) = a^2 - b^2
  EXPECT_EQ(s.multiply(s.add(a, b), s.subtract(a, b)),
            s.subtract(s.multiply(a, a), s.multiply(b, b)));
  EXPECT_NE(s.multiply(a, b), s.add(a, b));
  EXPECT_EQ(s.multiply(a, number(0)), number(0));
}

TEST_F(SymbolsTest, arithmeticWraps) {
  EXPECT_EQ(s.valueOf(s.add(number(largest), number(1))), smallest);
  EXPECT_EQ(s.valueOf(s.multiply(number(smallest), number(-1))), smallest);
  EXPECT_EQ(s.valueOf(s.subtract(number(smallest), number(1))), largest);
}

TEST_F(SymbolsTest, divisionOfNumbersTruncates) {
  EXPECT_EQ(quotient(7, 2), 3);
  EXPECT_EQ(quotient(-7, 2), -3);
  EXPECT_EQ(quotient(7, -2), -3);
  EXPECT_EQ(quotient(smallest, 1), smallest);
  EXPECT_EQ(quotient(smallest, 2), smallest / 2);
}

TEST_F(SymbolsTest, undefinedDivisions) {
  EXPECT_FALSE(s.divide(number(1), number(0)));
  EXPECT_FALSE(s.divide(number(0), number(0)));
  EXPECT_FALSE(s.divide(s.named("b"), number(0)));
  EXPECT_FALSE(s.divide(number(smallest), number(-1)));
}

TEST_F(SymbolsTest, exactQuotientsComeOut) {
  SymbolHandle b = s.named("b"), n = s.named("n");
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

TEST_F(SymbolsTest, otherQuotientsAreOpaqueButEqualThemselves) {
  SymbolHandle b = s.named("b"), n = s.named("n");
  SymbolHandle half = *s.divide(b, number(2));
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

TEST_F(SymbolsTest, textComesBack) {
  EXPECT_EQ(s.text(s.named("batch")), "batch");
  SymbolHandle twice = s.multiply(s.named("batch"), number(2));
  std::string text = s.text(twice);
  EXPECT_EQ(s.text(twice), text);
  EXPECT_EQ(s.named(text), twice);
  SymbolHandle unknown = s.fresh();
  EXPECT_EQ(s.named(s.text(unknown)), unknown);
  EXPECT_NE(s.text(unknown), text);
}

// A model whose dimension is called like one of our texts took over what the
// text denoted, and Reshape folded with another dimension's value.
TEST_F(SymbolsTest, namesLikeTextsAreUnknown) {
  std::vector<SymbolHandle> imposters;
  for (int i = 0; i < 8; ++i)
    imposters.push_back(s.named("?" + std::to_string(i)));
  std::vector<SymbolHandle> real;
  for (int i = 0; i < 8; ++i)
    real.push_back(s.fresh());
  for (SymbolHandle symbol : real)
    EXPECT_EQ(s.named(s.text(symbol)), symbol);
  for (SymbolHandle symbol : imposters) {
    EXPECT_EQ(s.named(s.text(symbol)), symbol);
    for (SymbolHandle other : real)
      EXPECT_NE(symbol, other);
  }
}

TEST_F(SymbolsTest, emptyNameIsAName) {
  EXPECT_EQ(s.named(""), s.named(""));
  EXPECT_NE(s.named(""), s.named("x"));
}

// Squaring forty times would take 2^40 factors.
TEST_F(SymbolsTest, longProductsAndSumsBecomeUnknowns) {
  SymbolHandle x = s.named("x");
  for (int i = 0; i < 200; ++i)
    x = s.multiply(x, x);
  EXPECT_FALSE(s.valueOf(x));
  SymbolHandle sum = number(0);
  std::vector<SymbolHandle> atoms;
  for (int i = 0; i < 20'000; ++i)
    sum = s.add(sum, atoms.emplace_back(s.fresh()));
  EXPECT_FALSE(s.valueOf(sum));
  // Still equal to itself, made the same way.
  SymbolHandle again = number(0);
  for (SymbolHandle atom : atoms)
    again = s.add(again, atom);
  EXPECT_EQ(sum, again);
  EXPECT_EQ(s.valueOf(s.subtract(sum, sum)), 0);
}
