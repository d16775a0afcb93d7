//===- SymbolicFloatsTest.cpp - Floats that are only partly known ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/symbolic/SymbolicFloats.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

struct SymbolicFloatsTest : testing::Test {
  DimExprs s;
  SymbolicFloats f64{s, DataType::Float64}, f32{s, DataType::Float32};
  DimExpr n = s.named("n");
  DimExpr number(int64_t v) { return s.constant(v); }
  DimExpr upTo(int64_t most) { return s.fresh({0, most}); }
};

} // namespace

TEST_F(SymbolicFloatsTest, numbersAreTheirValues) {
  for (double v : {0.0, 1.0, -7.0, 0.5, 0.1, 1e300, infinity, -infinity}) {
    EXPECT_EQ(SymbolicFloats::valueOf(f64.known(v), s), v);
    EXPECT_EQ(f64.known(v), f64.known(v));
  }
  EXPECT_TRUE(std::isnan(*SymbolicFloats::valueOf(f64.known(noNumber), s)));
  EXPECT_EQ(f64.known(3), number(3));
  EXPECT_NE(f64.known(-0.0), f64.known(0.0));
  EXPECT_FALSE(SymbolicFloats::valueOf(n, s));
}

TEST_F(SymbolicFloatsTest, aDimensionIsExactInDoubles) {
  EXPECT_EQ(f64.ofInteger(n), n);
  EXPECT_EQ(f64.toInteger(n, DataType::Int64), n);
  EXPECT_EQ(f64.multiply(n, f64.known(2)), s.multiply(n, number(2)));
  DimExpr half = f64.multiply(n, f64.known(0.5));
  EXPECT_EQ(half, f64.divide(n, f64.known(2)));
  EXPECT_EQ(f64.floor(half), s.divideDown(n, 2));
  EXPECT_EQ(f64.ceil(half), s.divideDown(s.add(n, number(1)), 2));
  EXPECT_EQ(f64.toInteger(half, DataType::Int64), s.divideDown(n, 2));
  EXPECT_EQ(f64.multiply(half, f64.known(2)), n);
  EXPECT_EQ(f64.floor(n), n);
  EXPECT_EQ(f64.round(s.multiply(n, number(3))), s.multiply(n, number(3)));
  DimExpr third = f64.divide(n, f64.known(3));
  EXPECT_EQ(f64.floor(third), s.divideDown(n, 3));
  EXPECT_EQ(f64.ceil(third), s.divideDown(s.add(n, number(2)), 3));
}

// 2^24 + 1 is 2^24 as a float of 32 bits.
TEST_F(SymbolicFloatsTest, aDimensionIsNotExactInFloats) {
  DimExpr x = f32.ofInteger(n);
  EXPECT_NE(x, n);
  EXPECT_NE(f32.toInteger(x, DataType::Int64), n);
  // A whole number all the same, and powers of two do not round.
  EXPECT_EQ(f32.floor(x), x);
  EXPECT_EQ(f32.divide(f32.multiply(x, f32.known(8)), f32.known(8)), x);
  EXPECT_EQ(f32.floor(f32.multiply(x, f32.known(2))), s.multiply(x, number(2)));
  EXPECT_NE(f32.multiply(x, f32.known(3)), s.multiply(x, number(3)));
  EXPECT_EQ(f32.multiply(x, f32.known(3)), f32.multiply(f32.known(3), x));
}

TEST_F(SymbolicFloatsTest, whatIsKnownToBeSmallIsExactInFloats) {
  DimExpr small = upTo(1 << 24), smaller = upTo(4096);
  EXPECT_EQ(f32.ofInteger(small), small);
  EXPECT_NE(f32.ofInteger(upTo((1 << 24) + 1)), small);
  EXPECT_EQ(f32.multiply(smaller, f32.known(1.5)),
            f32.divide(s.multiply(smaller, number(3)), f32.known(2)));
  EXPECT_EQ(f32.floor(f32.divide(smaller, f32.known(7))),
            s.divideDown(smaller, 7));
  // Of the largest ones a seventh might be rounded up to a whole number.
  EXPECT_NE(f32.floor(f32.divide(small, f32.known(7))), s.divideDown(small, 7));
}

TEST_F(SymbolicFloatsTest, whatIsNotFollowedHasBounds) {
  DimExpr scaled = f64.multiply(n, f64.known(0.3));
  EXPECT_EQ(scaled, f64.multiply(n, f64.known(0.3)));
  EXPECT_NE(scaled, f64.multiply(n, f64.known(0.4)));
  DimExpr down = f64.floor(scaled);
  EXPECT_EQ(f64.floor(down), down);
  EXPECT_EQ(s.rangeOf(down).least, 0);
  EXPECT_EQ(s.rangeOf(down).most, int64_t(0.3 * 2147483647.0));
  EXPECT_EQ(f64.toInteger(scaled, DataType::Int64), down);
  EXPECT_EQ(s.valueOf(f64.less(down, f64.known(0))), 0);
  EXPECT_EQ(s.valueOf(f64.lessOrEqual(f64.known(-0.5), scaled)), 1);
}

TEST_F(SymbolicFloatsTest, zerosHaveSigns) {
  // -n is -0 where n is 0.
  EXPECT_NE(f64.negate(n), s.multiply(n, number(-1)));
  EXPECT_NE(f64.multiply(n, f64.known(-1)), s.multiply(n, number(-1)));
  DimExpr more = s.add(n, number(1));
  EXPECT_EQ(f64.negate(more), s.multiply(more, number(-1)));
  EXPECT_EQ(f64.multiply(n, f64.known(0)), f64.known(0));
  EXPECT_FALSE(SymbolicFloats::valueOf(f64.multiply(n, f64.known(-0.0)), s));
  // Rounded up, -1/2 is -0.
  DimExpr below = f64.multiply(f64.subtract(n, f64.known(1)), f64.known(2));
  EXPECT_FALSE(
      SymbolicFloats::valueOf(f64.ceil(f64.divide(below, f64.known(4))), s));
}

TEST_F(SymbolicFloatsTest, whatMayBeNoNumberIsNotCompared) {
  DimExpr ratio = f64.divide(n, n); // 0 / 0
  EXPECT_FALSE(s.valueOf(f64.equal(ratio, ratio)));
  EXPECT_FALSE(s.valueOf(f64.lessOrEqual(ratio, ratio)));
  EXPECT_FALSE(s.valueOf(f64.lessOrEqual(ratio, f64.known(infinity))));
  EXPECT_EQ(s.valueOf(f64.less(ratio, ratio)), 0);
  EXPECT_EQ(s.valueOf(f64.equal(n, n)), 1);
  EXPECT_EQ(s.valueOf(f64.less(n, f64.known(infinity))), 1);
  EXPECT_EQ(s.valueOf(f64.equal(n, f64.known(noNumber))), std::nullopt);
}

TEST_F(SymbolicFloatsTest, castsOfNumbers) {
  EXPECT_EQ(f64.toInteger(f64.known(-2.7), DataType::Int32), number(-2));
  EXPECT_FALSE(f64.toInteger(f64.known(3e9), DataType::Int32));
  EXPECT_FALSE(f64.toInteger(f64.known(0x1p63), DataType::Int64));
  EXPECT_TRUE(f64.toInteger(f64.known(-0x1p63), DataType::Int64));
  EXPECT_FALSE(f64.toInteger(f64.known(noNumber), DataType::Int64));
  EXPECT_EQ(f64.toInteger(f64.known(noNumber), DataType::Bool), number(1));
  EXPECT_EQ(f64.toInteger(f64.known(0.2), DataType::Bool), number(1));
  EXPECT_EQ(f32.ofFloat(f64.known(0.1), DataType::Float64), f32.known(0.1f));
  EXPECT_NE(f32.ofFloat(n, DataType::Float64), n);
  EXPECT_EQ(f64.ofFloat(f32.ofInteger(n), DataType::Float32), f32.ofInteger(n));
  EXPECT_EQ(f64.toInteger(n, DataType::Bool),
            s.logicalNot(s.equal(n, number(0))));
}

// The symbols of a body that is run are others.
TEST_F(SymbolicFloatsTest, otherTables) {
  DimExprs inner;
  SymbolicFloats of(inner, DataType::Float64);
  EXPECT_FALSE(SymbolicFloats::import(n, s, inner));
  DimExpr half = f64.multiply(n, f64.known(0.5));
  auto copy = SymbolicFloats::import(half, s, inner);
  ASSERT_TRUE(copy);
  EXPECT_NE(of.floor(*copy), *copy);
  EXPECT_EQ(inner.valueOf(of.less(*copy, of.known(0))), 0);
  auto tenth = SymbolicFloats::import(f64.known(0.1), s, inner);
  EXPECT_EQ(SymbolicFloats::valueOf(*tenth, inner), 0.1);
}

namespace {

/// Floats beside what they are for some values of the dimensions, computed in
/// the type itself.
template <class T> class RandomFloats {
public:
  static constexpr int samples = 8;
  struct Sampled {
    DimExpr symbol;
    std::array<T, samples> values;
  };

  explicit RandomFloats(unsigned seed)
      : random(seed),
        f(s, sizeof(T) == 4 ? DataType::Float32 : DataType::Float64) {
    // One dimension may be large, the others are known to be small.
    for (int64_t most : {int64_t(2147483647), int64_t(1) << 24, int64_t(300)}) {
      DimExpr symbol = s.fresh({0, most});
      Sampled sampled{f.ofInteger(symbol), {}};
      for (T &value : sampled.values)
        value = T(pick(4) == 0   ? pick(3)
                  : pick(2) == 0 ? most - pick(3)
                                 : pick(most + 1));
      pool.push_back(sampled);
    }
    for (T v : {T(0), T(-0.0), T(1), T(2), T(0.5), T(0.25), T(3), T(7), T(1.5),
                T(0.1), T(1) / 3, T(-1), T(-2.5), T(infinity), T(noNumber)})
      pool.push_back({f.known(v), filled(v)});
  }

  Sampled make() {
    const Sampled x = pool[pick(pool.size())], y = pool[pick(pool.size())];
    switch (pick(11)) {
    case 0:
      return each(f.add(x.symbol, y.symbol), x, y, std::plus<T>());
    case 1:
      return each(f.subtract(x.symbol, y.symbol), x, y, std::minus<T>());
    case 2:
      return each(f.multiply(x.symbol, y.symbol), x, y, std::multiplies<T>());
    case 3:
      return each(f.divide(x.symbol, y.symbol), x, y, std::divides<T>());
    case 4:
      return each(f.floor(x.symbol), x, y,
                  [](T a, T) { return std::floor(a); });
    case 5:
      return each(f.ceil(x.symbol), x, y, [](T a, T) { return std::ceil(a); });
    case 6:
      return each(f.round(x.symbol), x, y,
                  [](T a, T) { return std::nearbyint(a); });
    case 7:
      return each(f.negate(x.symbol), x, y, [](T a, T) { return -a; });
    case 8:
      return each(f.absolute(x.symbol), x, y,
                  [](T a, T) { return std::abs(a); });
    case 9:
      return each(f.minimum(x.symbol, y.symbol), x, y,
                  [](T a, T b) { return minimum(a, b); });
    default:
      return each(f.select(f.lessOrEqual(x.symbol, y.symbol), x.symbol,
                           f.maximum(y.symbol, f.known(1))),
                  x, y, [](T a, T b) { return a <= b ? a : maximum(b, T(1)); });
    }
  }

  /// Truths, and what is cast to an integer, as floats: they must hold too.
  std::vector<std::pair<DimExpr, std::array<int64_t, samples>>> integers() {
    const Sampled x = pool[pick(pool.size())], y = pool[pick(pool.size())];
    auto all = [&](DimExpr symbol, auto g) {
      std::array<int64_t, samples> values;
      for (int i = 0; i < samples; ++i)
        values[i] = g(x.values[i], y.values[i]);
      return std::pair(symbol, values);
    };
    std::vector<std::pair<DimExpr, std::array<int64_t, samples>>> list = {
        all(f.less(x.symbol, y.symbol), std::less<T>()),
        all(f.lessOrEqual(x.symbol, y.symbol), std::less_equal<T>()),
        all(f.equal(x.symbol, y.symbol), std::equal_to<T>()),
        all(*f.toInteger(x.symbol, DataType::Bool),
            [](T a, T) { return a != 0; })};
    bool fits = llvm::all_of(x.values, [](T v) { return std::abs(v) < 1e18; });
    if (fits)
      list.push_back(all(*f.toInteger(x.symbol, DataType::Int64),
                         [](T a, T) { return int64_t(a); }));
    return list;
  }

  template <class F>
  Sampled each(DimExpr symbol, const Sampled &x, const Sampled &y, F g) {
    Sampled out{symbol, {}};
    for (int i = 0; i < samples; ++i)
      out.values[i] = g(x.values[i], y.values[i]);
    return out;
  }
  static std::array<T, samples> filled(T value) {
    std::array<T, samples> all;
    all.fill(value);
    return all;
  }
  int64_t pick(int64_t n) { return int64_t(random() % uint64_t(n)); }

  DimExprs s;
  std::mt19937_64 random;
  SymbolicFloats f;
  std::vector<Sampled> pool;
};

/// NaNs are one, zeros are two.
template <class T> bool isSame(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

template <class T> void checkRandomFloats() {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomFloats<T> floats(seed);
    std::map<int64_t, typename RandomFloats<T>::Sampled> bySymbol;
    std::map<int64_t, std::array<int64_t, RandomFloats<T>::samples>> integers;
    for (int step = 0; step < 150; ++step) {
      auto made = floats.make();
      auto value = SymbolicFloats::valueOf(made.symbol, floats.s);
      auto [it, isNew] = bySymbol.try_emplace(made.symbol.id, made);
      found += !isNew && !value;
      for (auto [now, before] :
           llvm::zip_equal(made.values, it->second.values)) {
        ASSERT_TRUE(isSame(now, before))
            << "seed " << seed << ": " << now << " and " << before;
        if (value) {
          ASSERT_TRUE(isSame(now, T(*value)))
              << "seed " << seed << ": " << now << ", known " << *value;
        }
      }
      floats.pool.push_back(made);
      for (auto &[symbol, values] : floats.integers()) {
        ExprRange range = floats.s.rangeOf(symbol);
        auto known = integers.try_emplace(symbol.id, values).first->second;
        ASSERT_EQ(known, values) << "seed " << seed;
        for (int64_t v : values) {
          ASSERT_GE(v, range.least) << "seed " << seed;
          ASSERT_LE(v, range.most) << "seed " << seed;
          if (auto number = floats.s.valueOf(symbol)) {
            ASSERT_EQ(v, *number) << "seed " << seed;
          }
        }
      }
    }
  }
  EXPECT_GT(found, 1000u) << "expressions that are equal to others";
}

} // namespace

TEST(SymbolicFloatsPropertyTest, whatIsKnownHoldsForAllValuesOfFloat) {
  checkRandomFloats<float>();
}
TEST(SymbolicFloatsPropertyTest, whatIsKnownHoldsForAllValuesOfDouble) {
  checkRandomFloats<double>();
}

// a / b that is rounded does not reach the next whole number: for all a of a
// float of 8 bits, which is where it would show first.
TEST(SymbolicFloatsPropertyTest, quotientsOfBFloat16) {
  auto rounded = [](double v) {
    auto bits = llvm::bit_cast<uint32_t>(float(v)); // exact enough: a, b < 2^9
    bits += 0x7FFF + (bits >> 16 & 1);
    return double(llvm::bit_cast<float>(bits & 0xFFFF0000u));
  };
  int followed = 0;
  for (int64_t by = 1; by < 256; ++by)
    for (int64_t most : {int64_t(255) - by, int64_t(256) - by, int64_t(256)}) {
      DimExprs s;
      SymbolicFloats f(s, DataType::BFloat16);
      DimExpr n = s.fresh({0, std::max<int64_t>(most, 0)});
      DimExpr x = f.divide(f.ofInteger(n), f.known(double(by)));
      bool isDown = f.floor(x) == s.divideDown(n, by);
      bool isUp = f.ceil(x) == s.divideDown(s.add(n, s.constant(by - 1)), by);
      followed += isDown && isUp && by > 1;
      for (int64_t a = 0; a <= most; ++a) {
        double quotient = rounded(double(a) / double(by));
        if (isDown) {
          ASSERT_EQ(std::floor(quotient), a / by) << a << " / " << by;
        }
        if (isUp) {
          ASSERT_EQ(std::ceil(quotient), (a + by - 1) / by) << a << " / " << by;
        }
      }
    }
  EXPECT_GT(followed, 500);
}
