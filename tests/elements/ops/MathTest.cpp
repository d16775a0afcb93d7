//===- MathTest.cpp - Transcendental functions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The reference is libm in long double (64 bits of mantissa): an error of 1 ulp
// of double is 2048 of its own.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/internal/FloatMath.h"
#include "onnxfold/tests/elements/Naive.h"
#include "onnxfold/widenum/CpuLevel.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
using Long = long double;
struct Function {
  const char *name;
  void (*wide)(double *, size_t);
  Long (*exact)(Long);
  double low, high; // of arguments
  double ulp;
};
} // namespace

static Long exactSigmoid(Long x) { return 1 / (1 + std::exp(-x)); }
static Long exactSoftplus(Long x) {
  return std::log1p(std::exp(-std::fabs(x))) + std::max<Long>(x, 0);
}

static const Function functions[] = {
    {"exp", wide::exp, std::exp, -700, 700, 1},
    {"expm1", wide::expm1, std::expm1, -40, 40, 1},
    {"log", wide::log, std::log, 0, 1e9, 1},
    {"log1p", wide::log1p, std::log1p, -0.99, 100, 1},
    {"erf", wide::erf, std::erf, -6.5, 6.5, 1.5},
    {"erfc", wide::erfc, std::erfc, -6, 26, 1.5},
    {"sin", wide::sin, std::sin, -1e4, 1e4, 1},
    {"cos", wide::cos, std::cos, -1e4, 1e4, 1},
    {"tan", wide::tan, std::tan, -1e4, 1e4, 1},
    {"asin", wide::asin, std::asin, -1, 1, 1},
    {"acos", wide::acos, std::acos, -1, 1, 1},
    {"atan", wide::atan, std::atan, -1e3, 1e3, 1},
    {"sinh", wide::sinh, std::sinh, -700, 700, 1},
    {"cosh", wide::cosh, std::cosh, -700, 700, 1},
    {"tanh", wide::tanh, std::tanh, -20, 20, 1.5},
    {"asinh", wide::asinh, std::asinh, -1e9, 1e9, 1},
    {"acosh", wide::acosh, std::acosh, 1, 1e9, 1},
    {"atanh", wide::atanh, std::atanh, -0.999, 0.999, 1},
    {"sigmoid", wide::sigmoid, exactSigmoid, -700, 700, 2.5},
    {"softplus", wide::softplus, exactSoftplus, -700, 700, 2},
};

/// |actual - exact| in units of the last place of `exact`.
static double ulps(double actual, Long exact) {
  double rounded = double(exact);
  double ulp =
      std::nextafter(std::fabs(rounded), INFINITY) - std::fabs(rounded);
  return double(std::fabs(actual - exact) / ulp);
}

TEST(Math, WithinTheStatedError) {
  Random random(11);
  for (const Function &f : functions) {
    double worst = 0, at = 0;
    std::vector<double> x(20001);
    for (size_t i = 0; i < x.size(); ++i) {
      double v = random.real(f.low, f.high);
      x[i] = i % 2 ? v : v * std::exp2(-random.real(0, 20)); // small ones too
      if (x[i] < f.low)
        x[i] = v;
    }
    std::vector<double> y(x);
    f.wide(y.data(), y.size());
    for (size_t i = 0; i < x.size(); ++i)
      if (double error = ulps(y[i], f.exact(x[i])); error > worst) {
        worst = error;
        at = x[i];
      }
    EXPECT_LE(worst, f.ulp) << f.name << "(" << at << ")";
  }
}

// Where the two halves of erf and tanh meet, and where erf becomes 1.
TEST(Math, FormulasMeetWithinTheStatedError) {
  for (const Function &f : functions) {
    std::string name = f.name;
    if (name != "erf" && name != "tanh")
      continue;
    for (double middle : {1.0, -1.0, 5.93, 6.0}) {
      std::vector<double> x(10001);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = middle + (double(i) - 5000) * 2e-5;
      std::vector<double> y(x);
      f.wide(y.data(), y.size());
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_LE(ulps(y[i], f.exact(x[i])), f.ulp) << name << " " << x[i];
    }
  }
}

TEST(Math, SpecialValuesAsInC) {
  for (const Function &f : functions)
    for (double x :
         {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, double(INFINITY), -double(INFINITY),
          double(NAN), 5e-324, -5e-324, 1e308, -1e308}) {
      double y = x;
      f.wide(&y, 1);
      double expected = double(f.exact(x));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(y)) << f.name << "(" << x << ") = " << y;
      } else if (std::isinf(expected) || expected == 0) {
        EXPECT_EQ(y, expected) << f.name << "(" << x << ")";
        EXPECT_EQ(std::signbit(y), std::signbit(expected))
            << f.name << "(" << x << ")";
      } else {
        EXPECT_LE(ulps(y, f.exact(x)), f.ulp) << f.name << "(" << x << ")";
      }
    }
}

// Where erfc becomes subnormal, and then 0.
TEST(Math, SmallestValuesOfErfc) {
  double worst = 0;
  for (double x = 26; x < 27.3; x += 0x1p-13) {
    double y = x;
    wide::erfc(&y, 1);
    worst = std::max(worst, ulps(y, std::erfc(Long(x))));
  }
  EXPECT_LE(worst, 3);
  double beyond = 28;
  wide::erfc(&beyond, 1);
  EXPECT_EQ(beyond, 0);
}

TEST(Math, Pow) {
  Random random(12);
  std::vector<double> x(10001), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = std::exp(random.real(-20, 20));
    y[i] = random.real(-15, 15);
  }
  std::vector<double> z(x);
  wide::pow(z.data(), y.data(), z.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_LE(ulps(z[i], std::pow(Long(x[i]), Long(y[i]))), 1);
  for (double a : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, double(INFINITY),
                   -double(INFINITY), double(NAN), 0.5})
    for (double b : {0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, -0.5,
                     double(INFINITY), -double(INFINITY), double(NAN)}) {
      double actual = a, expected = std::pow(a, b);
      wide::pow(&actual, &b, 1);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(actual)) << a << " ^ " << b;
      else
        EXPECT_DOUBLE_EQ(actual, expected) << a << " ^ " << b;
      EXPECT_EQ(std::signbit(actual),
                !std::isnan(expected) && std::signbit(expected));
    }
  // B7: an integer exponent is a number, not the bits of one.
  Elements base = Elements::fromValues<float>({2}, {2, 3});
  Elements exponent = Elements::fromValues<int32_t>({2}, {3, 2});
  expectValues<float>(zipWide(base, exponent, wide::pow), {2}, {8, 9});
}

// SLEEF's exp(709.7827112), its sinh and cosh from 709.783 on, and its powers
// above 1.7976900e308 are infinite.
TEST(Math, ResultsUpToTheLargestDouble) {
  struct Case {
    double actual;
    Long exact;
  };
  auto call = [](WideFunction f, double x) {
    f(&x, 1);
    return x;
  };
  auto power = [](double x, double y) {
    wide::pow(&x, &y, 1);
    return x;
  };
  double most = std::numeric_limits<double>::max(), belowOne = 1 - 0x1p-53;
  for (auto [actual, exact] : std::initializer_list<Case>{
           {call(wide::exp, 709.7827126), std::exp(Long(709.7827126))},
           {call(wide::cosh, 709.79), std::cosh(Long(709.79))},
           {call(wide::cosh, -710.4758600739), std::cosh(Long(710.4758600739))},
           {call(wide::sinh, -710.3), std::sinh(Long(-710.3))},
           {power(most, belowOne), std::pow(Long(most), Long(belowOne))},
           {power(-0x1.428a2f98d728ap341, 3),
            std::pow(Long(-0x1.428a2f98d728ap341), 3)},
           {power(0.5, -1023.9999995),
            std::pow(Long(0.5), Long(-1023.9999995))}})
    EXPECT_LE(ulps(actual, exact), 1) << actual;
  for (double over :
       {call(wide::exp, 709.7827129), call(wide::sinh, 710.476), power(2, 1024),
        power(-3, 648), -power(-3, 647), power(0, -1)})
    EXPECT_EQ(over, HUGE_VAL);
}

// What the processor does not have counts as what it has.
TEST(Math, AllLevelsGiveTheSameBits) {
  Random random(13);
  std::vector<double> x(1003), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = random.real(-3, 3) * std::exp2(random.integer(-30, 9));
    y[i] = random.real(-3, 3);
  }
  // Results that are NaN, of huge arguments, and what the repairs see.
  for (double special : {-1.0, 0.0, 1e300, -1e300, double(NAN), -double(NAN),
                         double(INFINITY), -double(INFINITY)})
    x[random.integer(0, 1002)] = special;
  double large[] = {709.7827112, 709.7827128,    709.7827129,    710.3,
                    -710.3,      710.4758600739, -710.4758600739};
  llvm::copy(large, x.begin());
  double most = std::numeric_limits<double>::max();
  x[7] = 0.5, y[7] = -1023.9999995;
  x[8] = most, y[8] = 1 - 0x1p-53;
  x[9] = -0x1.428a2f98d728ap341, y[9] = 3;
  auto bitsAt = [&](CpuLevel level, llvm::function_ref<void(double *)> f) {
    ForcedCpuLevel forced(level);
    std::vector<double> values(x);
    f(values.data());
    std::vector<uint64_t> result(values.size());
    std::memcpy(result.data(), values.data(), values.size() * 8);
    return result;
  };
  auto check = [&](const char *name, llvm::function_ref<void(double *)> f) {
    auto expected = bitsAt(CpuLevel::Baseline, f);
    EXPECT_EQ(bitsAt(CpuLevel::Avx2, f), expected) << name;
    EXPECT_EQ(bitsAt(CpuLevel::Avx512, f), expected) << name;
  };
  for (const Function &f : functions)
    check(f.name, [&](double *v) { f.wide(v, x.size()); });
  check("pow", [&](double *v) { wide::pow(v, y.data(), x.size()); });
}

// mapWide computes f32 by shorter functions where these decide the result
// (FloatMath.h): the bits are those of the function in double, rounded once.
// Every 4,001st float and the neighbours of special ones; with ONNXFOLD_LONG=1
// all 2^32.
TEST(Math, FloatsAreTheRoundedDoubles) {
  std::vector<uint32_t> bits;
  for (uint32_t special :
       {0x00000000u, 0x00800000u, 0x3f800000u, 0x40800000u, 0x41200000u,
        0x42b17218u, 0x43160000u, 0x7f800000u, 0x7fc00000u})
    for (uint32_t sign : {0u, 0x80000000u})
      for (int i = -300; i < 300; ++i)
        bits.push_back((special + i) ^ sign);
  auto check = [&](CpuLevel level, const Function &f) {
    ForcedCpuLevel forced(level);
    std::vector<float> x(bits.size());
    std::memcpy(x.data(), bits.data(), 4 * bits.size());
    ElementsArray<float> actual(
        mapWide(Elements::fromValues<float>({int64_t(x.size())}, x), f.wide));
    std::vector<double> wide(x.begin(), x.end());
    f.wide(wide.data(), wide.size());
    for (size_t i = 0; i < x.size(); ++i)
      if (std::bit_cast<uint32_t>(actual[i]) !=
          std::bit_cast<uint32_t>(float(wide[i])))
        return ::testing::AssertionFailure()
               << f.name << "(" << x[i] << ") is " << actual[i] << " at level "
               << int(level) << ", expected " << float(wide[i]);
    return ::testing::AssertionSuccess();
  };
  auto checkAll = [&] {
    for (CpuLevel level :
         {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512})
      for (const Function &f : functions) {
        if (!ops::detail::floatFunction(f.wide))
          continue;
        ASSERT_TRUE(check(level, f));
      }
  };
  checkAll();
  uint64_t step = std::getenv("ONNXFOLD_LONG") ? 1 : 4001;
  for (uint64_t next = 0; next < uint64_t(1) << 32;) {
    bits.clear();
    for (; bits.size() < 1 << 20 && next < uint64_t(1) << 32; next += step)
      bits.push_back(uint32_t(next));
    checkAll();
  }
}

// The functions that have a shorter one.
TEST(Math, FiveFunctionsHaveOneOfFloats) {
  int count = 0;
  for (const Function &f : functions)
    count += ops::detail::floatFunction(f.wide) != nullptr;
  EXPECT_EQ(count, 5);
}

// Every f16: computed in double and rounded once is the correct result.
TEST(Math, AllF16AreCorrectlyRounded) {
  auto all = Naive<Float16>::make(
      {1 << 16}, [i = 0](ShapeRef) mutable { return Float16{uint16_t(i++)}; });
  Elements y = mapWide(all.elements(), wide::exp);
  Elements e = mapWide(all.elements(), wide::erf);
  Elements c = mapWide(all.elements(), wide::erfc);
  ElementsArray<Float16> exps(y), erfs(e), erfcs(c),
      tanhs(mapWide(all.elements(), wide::tanh));
  for (int i = 0; i < 1 << 16; ++i) {
    double x = convert<double>(all.values[i]);
    if (std::isnan(x))
      continue;
    EXPECT_EQ(exps[i].bits, convert<Float16>(double(std::exp(Long(x)))).bits);
    EXPECT_EQ(erfs[i].bits, convert<Float16>(double(std::erf(Long(x)))).bits);
    EXPECT_EQ(tanhs[i].bits, convert<Float16>(double(std::tanh(Long(x)))).bits);
    EXPECT_EQ(erfcs[i].bits, convert<Float16>(double(std::erfc(Long(x)))).bits);
  }
}
