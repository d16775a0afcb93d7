//===- SpecialFunctionsTest.cpp - Functions that are not elementary -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Exact values were computed by mpmath with 300 bits and rounded to double.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/SpecialFunctions.h"
#include "onnxfold/elements/ops/internal/DoubleDouble.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

using namespace onnxfold::ops;
namespace dd = onnxfold::ops::detail;

namespace {
struct Value {
  double x, result;
};
struct PairValue {
  double x, y, result;
};
} // namespace

static void expectSame(double found, double expected, double x, double y) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << x << " " << y << " " << found;
    return;
  }
  EXPECT_EQ(std::bit_cast<uint64_t>(found), std::bit_cast<uint64_t>(expected))
      << x << " " << y << ": " << found << ", expected " << expected;
}

static void check(void f(double *, size_t),
                  std::initializer_list<Value> values) {
  for (auto [x, expected] : values) {
    double found = x;
    f(&found, 1);
    expectSame(found, expected, x, 0);
  }
}

static void check(void f(double *, const double *, size_t),
                  std::initializer_list<PairValue> values) {
  for (auto [x, y, expected] : values) {
    double found = x;
    f(&found, &y, 1);
    expectSame(found, expected, x, y);
  }
}

TEST(SpecialFunctions, lgamma) {
  check(wide::lgamma, {{1e-300, 0x1.5963447f87fb5p+9},
                       {0.001, 0x1.ba0f3807161acp+2},
                       {0.3, 0x1.188637a6c4196p+0},
                       {0.5, 0x1.250d048e7a1bdp-1},
                       {0.75, 0x1.a051c372609eep-3},
                       {1.0000001, -0x1.efd30c8e518b9p-25},
                       {1.4616, -0x1.f19b9ba9dd633p-4},
                       {1.9999999, -0x1.6b2b405fa85a3p-25},
                       {2.25, 0x1.ff797bba88502p-4},
                       {3.7, 0x1.6d9625e359b87p+0},
                       {29.5, 0x1.1646bd261edc4p+6},
                       {31.0, 0x1.2aa208b59d0e5p+6},
                       {100000.0, 0x1.00a97b57f4c2ep+20},
                       {1e+30, 0x1.ada137e8ad861p+105},
                       {1e+305, 0x1.8f7797fbe814ep+1022},
                       {-0.3, 0x1.76ffc1f04debdp+0},
                       {-1e-10, 0x1.7069e2aa2e9d2p+4},
                       {-1.5, 0x1.b858151820f86p-1},
                       {-2.457, 0x1.3a8ab4332558bp-15},
                       {-30.25, -0x1.2816ef5b73299p+6},
                       {-1000000.5, -0x1.8719484b9d3aap+23},
                       {-4503599627370495.5, -0x1.185966f2b4f12p+57}});
  check(wide::lgamma, {{1, 0},
                       {2, 0},
                       {0, HUGE_VAL},
                       {-0.0, HUGE_VAL},
                       {-3, HUGE_VAL},
                       {HUGE_VAL, HUGE_VAL},
                       {-HUGE_VAL, HUGE_VAL},
                       {NAN, NAN}});
}

TEST(SpecialFunctions, digamma) {
  check(wide::digamma, {{1e-300, -0x1.7e43c8800759bp+996},
                        {0.001, -0x1.f449ac574fcf7p+9},
                        {0.3, -0x1.c052b6b5e6118p+1},
                        {1.0, -0x1.2788cfc6fb619p-1},
                        {1.4616, -0x1.04f02a764ee0ap-15},
                        {1.5, 0x1.2aed059bd608ap-5},
                        {7.0, 0x1.df6ecb4fb5827p+0},
                        {29.5, 0x1.af052c4218232p+1},
                        {31.0, 0x1.b579890fe0616p+1},
                        {100000.0, 0x1.7069d82dcebc1p+3},
                        {1e+30, 0x1.144f69ff9ffc4p+6},
                        {1e+300, 0x1.5963447f87fb5p+9},
                        {-0.3, 0x1.0e80ef52ecedcp+1},
                        {-1e-10, 0x1.2a05f1ffb61ddp+33},
                        {-1.5, 0x1.680425af12b5ep-1},
                        {-2.457, 0x1.840e573dd395ap+0},
                        {-30.25, 0x1.a4525b8794b5ap+2},
                        {-1000000.5, 0x1.ba18abb1dede0p+3}});
  check(wide::digamma, {{0, NAN},
                        {-3, NAN},
                        {HUGE_VAL, HUGE_VAL},
                        {-HUGE_VAL, NAN},
                        {NAN, NAN}});
}

TEST(SpecialFunctions, besselI1e) {
  check(wide::besselI1e, {{1e-300, 0x1.56e1fc2f8f359p-998},
                          {1e-20, 0x1.79ca10c924223p-68},
                          {0.001, 0x1.05e1cc0c16f57p-11},
                          {0.5, 0x1.40598cd0be9efp-3},
                          {1.0, 0x1.a9ccef9365f00p-3},
                          {7.75, 0x1.16a1f58b7064ap-3},
                          {39.99, 0x1.ffeacc8544407p-5},
                          {40.0, 0x1.ffdabb4e96ce8p-5},
                          {41.0, 0x1.f9b13c82bf260p-5},
                          {700.0, 0x1.edd4ae130b94ep-7},
                          {10000000000.0, 0x1.0bb9c30b3a255p-18},
                          {1e+300, 0x1.4e4f1043a39ecp-500},
                          {-2.5, -0x1.a715da4cbd425p-3},
                          {-100.0, -0x1.459587ae67a92p-5}});
  check(wide::besselI1e,
        {{0, 0}, {-0.0, -0.0}, {HUGE_VAL, 0}, {-HUGE_VAL, -0.0}, {NAN, NAN}});
}

TEST(SpecialFunctions, erfInv) {
  check(wide::erfInv, {{1e-300, 0x1.2fdf36bf69b9fp-997},
                       {1e-18, 0x1.059169cba49b7p-60},
                       {0.001, 0x1.d0a36543e1fd3p-11},
                       {0.3, 0x1.1700774485ed2p-2},
                       {0.5, 0x1.e861fbb24c00ap-2},
                       {0.75, 0x1.a07890f6b2ba1p-1},
                       {0.999, 0x1.29d311405cdb4p+1},
                       {0.9999999999999999, 0x1.7744f8f74e94ap+2},
                       {-0.25, -0x1.cd70681d5ff70p-3},
                       {-0.9, -0x1.29c0146770651p+0}});
  check(wide::erfInv, {{0, 0},
                       {-0.0, -0.0},
                       {1, HUGE_VAL},
                       {-1, -HUGE_VAL},
                       {1.5, NAN},
                       {NAN, NAN}});
}

TEST(SpecialFunctions, zeta) {
  check(wide::zeta, {{1.0000001, 1.0, 0x1.312d01248b86bp+23},
                     {1.5, 1.0, 0x1.4e6250bfbd89dp+1},
                     {2.0, 1.0, 0x1.a51a6625307d3p+0},
                     {2.0, 0.1, 0x1.95bbb2c5c8286p+6},
                     {2.0, 30.0, 0x1.15ab17f770243p-5},
                     {2.0, 1e-05, 0x1.2a05f200d28c6p+33},
                     {2.5, 3.3, 0x1.1de807d1b703bp-3},
                     {10.0, 100000.0, 0x1.44caf21d90222p-153},
                     {20.0, 19.5, 0x1.f8a4690150d23p-86},
                     {50.0, 1.0, 0x1.0000000000004p+0},
                     {300.0, 2.0, 0x1.0000000000000p-300},
                     {400.0, 100.0, 0},
                     {1.5, 1000000.0, 0x1.0624e17a9dabdp-9},
                     {1.25, 1e+50, 0x1.640a72acc33c6p-40},
                     {0x1.0000000000001p+0, 1.0, 0x1.0000000000001p+52},
                     {0x1.0000000000001p+0, 0x1p-119, 0x1.0000000000052p+119},
                     {0x1.0000000000001p+0, 0x1p-121, 0x1.0000000000054p+121},
                     {1e6, 1.0000001, 0x1.cf46d9c3bb518p-1},
                     {60.0, 40.0, 0x1.0b0c743aa14c7p-319},
                     {2.0, 0x1p400, 0x1p-400},
                     {2.0, 1e308, 0x0.730d67819e8d2p-1022}});
  check(wide::zeta, {{1, 3, HUGE_VAL},
                     {0.5, 3, NAN},
                     {NAN, 3, NAN},
                     {3, NAN, NAN},
                     {3, HUGE_VAL, 0},
                     {HUGE_VAL, 1, 1},
                     {HUGE_VAL, 2, 0},
                     {HUGE_VAL, 0.5, HUGE_VAL}});
}

TEST(SpecialFunctions, polygamma) {
  check(wide::polygamma, {{1, 1.0, 0x1.a51a6625307d3p+0},
                          {1, 1e-150, 0x1.7e43c8800759cp+996},
                          {2, 0.25, -0x1.02a7cd8772a0ep+7},
                          {4, 0.7, -0x1.216aa038b420ap+7},
                          {20, 3.0, -0x1.bcaea683979bap+27},
                          {100, 30.0, -0x1.2ac2ac7d5951ep+29},
                          {171, 1.5, 0x1.20c401871c4fcp+926},
                          {1000, 400.0, -0x1.03e0337151e0dp-123},
                          {999999, 368000.0, 0x1.ad6c7daca5ce0p-482},
                          {1000000, 367879.0, -0x1.8c867e2add322p-6},
                          {3, 1e+50, 0x1.a2fe76a3f9473p-498}});
  check(wide::polygamma, {{-1, 3, NAN},
                          {0.5, 3, NAN},
                          {NAN, 3, NAN},
                          {2, NAN, NAN},
                          {0, 0, NAN},
                          {0, -0.5, 0x1.2aed059bd608ap-5},
                          {1, HUGE_VAL, 0},
                          {2, HUGE_VAL, -0.0},
                          {1e300, 3, -HUGE_VAL}});
}

TEST(SpecialFunctions, nearZerosTheErrorIsAbsolute) {
  // Two neighbours of zeros of lgamma and digamma.
  double x = -0x1.3a7fc9600f86cp+1, y = 0x1.762d86356be3fp+0;
  wide::lgamma(&x, 1);
  wide::digamma(&y, 1);
  EXPECT_NEAR(x, 0x1.0323b6d1fe86dp-54, 0x1p-90);
  EXPECT_NEAR(y, -0x1.aa2d9b3ce29e0p-54, 0x1p-90);
}

TEST(DoubleDouble, twiceThePrecision) {
  dd::DoubleDouble third = dd::DoubleDouble(1) / 3.0;
  dd::DoubleDouble rest = third * 3.0 - 1.0;
  EXPECT_LT(std::fabs(rest.high), 0x1p-102);
  EXPECT_EQ(third.high, 1.0 / 3);
  EXPECT_NE(third.low, 0);
  dd::Scaled e = dd::exp(dd::log(third));
  EXPECT_LT(std::fabs((scaled(e.number, int(e.exponent)) - third).high),
            0x1p-100);
  EXPECT_LT(std::fabs((dd::sqrt(third) * dd::sqrt(third) - third).high),
            0x1p-102);
}
