//===- ComplexFunctionsTest.cpp - Functions of complex numbers ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Exact values were computed by mpmath with 2000 bits, and each part rounded to
// double.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/ComplexFunctions.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace complex = onnxfold::ops::complex;
using complex::Number;

namespace {
struct ComplexValue {
  Number z, result;
};
struct ComplexPower {
  Number z, w, result;
};
} // namespace

static void expectPart(double found, double expected, Number z) {
  EXPECT_EQ(std::bit_cast<uint64_t>(found), std::bit_cast<uint64_t>(expected))
      << z << ": " << found << ", expected " << expected;
}

static void expectSame(std::optional<Number> found, Number expected, Number z) {
  ASSERT_TRUE(found) << z;
  expectPart(found->real(), expected.real(), z);
  expectPart(found->imag(), expected.imag(), z);
}

static void check(complex::Function f,
                  std::initializer_list<ComplexValue> values) {
  for (const ComplexValue &value : values)
    expectSame(f(value.z), value.result, value.z);
}

TEST(ComplexFunctions, exp) {
  check(complex::exp,
        {{{1, 2}, {-0x1.21969c4953cd1p+0, 0x1.3c618a2274afdp+1}},
         {{-30.5, 1000000000000000.0},
          {-0x1.065ae43f765afp-45, 0x1.b6c436743d27dp-45}},
         {{700, 0.5}, {0x1.9f560935867edp+1009, 0x1.c5cc5b3b5c529p+1008}},
         {{0.25, -1e-09}, {0x1.48b5e3c3e8186p+0, -0x1.60f3418d71bafp-30}}});
}

TEST(ComplexFunctions, expm1) {
  check(complex::expm1,
        {{{1e-09, 2e-09}, {0x1.12e0be7b82862p-30, 0x1.12e0be870a00cp-29}},
         {{0.1, 0.43999999}, {-0x1.8d7d763c63af7p-14, 0x1.e20897783e787p-2}},
         {{-0.3, 1}, {-0x1.33105cabe3482p-1, 0x1.3f2b466c2ce39p-1}},
         {{5, -7}, {0x1.bb8e5a019a6dfp+6, -0x1.8605966a7d66fp+6}},
         {{1e-20, 1e-10}, {0x1.79ca10c924222p-68, 0x1.b7cdfd9d7bdbbp-34}}});
}

TEST(ComplexFunctions, log) {
  check(complex::log,
        {{{0.6, 0.8}, {0x1.999999999999ap-56, 0x1.dac670561bb50p-1}},
         {{3, -4}, {0x1.9c041f7ed8d33p+0, -0x1.dac670561bb4fp-1}},
         {{-1e-200, 1e-180}, {-0x1.9e771eff6ffa6p+8, 0x1.921fb54442d18p+0}},
         {{1e+300, 1e+300}, {0x1.598fa10585efcp+9, 0x1.921fb54442d18p-1}},
         {{0.7071067811865476, 0.7071067811865475},
          {-0x1.765753908cd1cp-57, 0x1.921fb54442d18p-1}}});
}

TEST(ComplexFunctions, log1p) {
  check(complex::log1p,
        {{{1e-20, 1e-10}, {0x1.1b578c96db19ap-66, 0x1.b7cdfd9d7bdbbp-34}},
         {{-0.5, 0.8}, {-0x1.dd52901b287cdp-5, 0x1.031f57e54adbep+0}},
         // The real part was x where |1 + z| is exactly 1.
         {{-1, 1}, {0, 0x1.921fb54442d18p+0}},
         {{-2, 0.0}, {0, 0x1.921fb54442d18p+1}},
         {{-2, 1e-09}, {0x1.2725dd1d243acp-61, 0x1.921fb5421d100p+1}},
         {{-0.999999, 1e-08}, {-0x1.ba1840bec7ed0p+3, 0x1.47ab48b1c73e9p-7}},
         {{5, 5}, {0x1.07188eb126c0dp+1, 0x1.63b4bc3f16a8ap-1}}});
}

TEST(ComplexFunctions, logistic) {
  check(
      complex::logistic,
      {{{1, 2}, {0x1.057b7a30c05ecp+0, 0x1.9d1f09423e3d7p-2}},
       {{-1, 2}, {-0x1.5ede8c3017af1p-6, 0x1.9d1f09423e3d7p-2}},
       {{-40, 3}, {-0x1.36560ca56b527p-58, 0x1.61e613df09019p-61}},
       {{1e-09, 3.1415926535}, {0x1.d905f44cac182p+29, 0x1.53cb4b462a982p+26}},
       {{800, 1}, {0x1.0000000000000p+0, 0}}});
}

TEST(ComplexFunctions, sin) {
  check(complex::sin,
        {{{1, 2}, {0x1.95383af6524c1p+1, 0x1.f5a869f21d03cp+0}},
         {{22, 1e-08}, {-0x1.220a29f6eb9f4p-7, -0x1.57957c0692f55p-27}},
         {{3.141592653589793, 1e-05},
          {0x1.1a6263318264bp-53, -0x1.4f8b588e4e940p-17}},
         {{1, -300}, {0x1.794812ef30dadp+431, -0x1.e47fd7670ac8ep+430}}});
}

TEST(ComplexFunctions, cos) {
  check(complex::cos,
        {{{1, 2}, {0x1.0430447a7cf58p+1, -0x1.86a4964b0bb1ap+1}},
         {{11, 1e-08}, {0x1.220ae41ee2fe0p-8, 0x1.5798119ba48aep-27}},
         {{1.5707963267948966, 0.5},
          {0x1.3e6c849827146p-54, -0x1.0acd00fe63b97p-1}}});
}

TEST(ComplexFunctions, tan) {
  check(complex::tan,
        {{{1, 2}, {0x1.14fea2c65a0c4p-5, 0x1.03c983b18a141p+0}},
         {{1.5707963267948966, 1e-09},
          {0x1.e9dbd50d3393bp+5, 0x1.dcd64ffffffe0p+29}},
         {{0.1, -50}, {0x1.518b93c047782p-146, -0x1.0000000000000p+0}}});
}

TEST(ComplexFunctions, sinh) {
  check(complex::sinh,
        {{{0.1, 3}, {-0x1.962d5664482cap-4, 0x1.2275c5d6779dcp-3}},
         {{-20, 1}, {-0x1.f3fc0839d1ee3p+26, 0x1.8557012c6a766p+27}},
         {{1e-12, 1.5}, {0x1.3e9270e3f5f80p-44, 0x1.feb7a9b2c6d8bp-1}}});
}

TEST(ComplexFunctions, cosh) {
  check(complex::cosh,
        {{{0.1, 1.5707963267948966},
          {0x1.1bcc24061d7c2p-54, 0x1.9a487337b59b3p-4}},
         {{5, -4}, {-0x1.840e0c54d8e2ep+5, 0x1.c141e4ed597bcp+5}}});
}

TEST(ComplexFunctions, tanh) {
  check(complex::tanh,
        {{{0.5, 0.5}, {0x1.20cf8167f00dap-1, 0x1.9d97084a35eb7p-2}},
         {{1e-09, 1.5707963267948966},
          {0x1.dcd64ffffffe0p+29, 0x1.e9dbd50d3393bp+5}},
         {{-45, 1}, {-0x1.0000000000000p+0, 0x1.039f4f07a2de9p-129}}});
}

TEST(ComplexFunctions, asin) {
  check(complex::asin,
        {{{0.5, 0.5}, {0x1.cf2214ccccd44p-2, 0x1.0fafb8f2f147fp-1}},
         {{0.9999999, 1e-09}, {0x1.9202662c783bep+0, 0x1.2c1dc0955ca36p-19}},
         {{2, 1e-300}, {0x1.921fb54442d18p+0, 0x1.5124271980435p+0}},
         {{-1e+200, 3e+250}, {-0x1.3f45187387ac0p-168, 0x1.20b81174c2a27p+9}},
         {{1e-10, -1e-12}, {0x1.b7cdfd9d7bdbbp-34, -0x1.19799812dea11p-40}}});
}

TEST(ComplexFunctions, acos) {
  check(complex::acos,
        {{{0.5, 0.5}, {0x1.1e5730110f9c7p+0, -0x1.0fafb8f2f147fp-1}},
         {{0.9999999, 1e-09}, {0x1.d4f17ca95a752p-12, -0x1.2c1dc0955ca36p-19}},
         {{-2, -1e-05}, {0x1.921f84d5c225bp+1, 0x1.51242719956c4p+0}},
         {{1e+200, -3e+250}, {0x1.921fb54442d18p+0, 0x1.20b81174c2a27p+9}}});
}

TEST(ComplexFunctions, atan) {
  check(complex::atan,
        {{{0.5, 0.5}, {0x1.1b6e192ebbe44p-1, 0x1.9c041f7ed8d33p-2}},
         {{1e-09, 0.99999999}, {0x1.983e282e58bbbp-5, 0x1.31bddc615829ep+3}},
         {{1e+200, 1e-100}, {0x1.921fb54442d18p+0, 0}},
         {{0.1, 3}, {0x1.8eedb364f3185p+0, 0x1.62697fb8e48aep-2}}});
}

TEST(ComplexFunctions, asinh) {
  check(complex::asinh,
        {{{0.5, 0.5}, {0x1.0fafb8f2f147fp-1, 0x1.cf2214ccccd44p-2}},
         {{1e-09, 1.0000001}, {0x1.d4f17c2a99dbdp-12, 0x1.921f8fc08adebp+0}},
         {{-1e-14, 2}, {-0x1.5124271980435p+0, 0x1.921fb54442cfep+0}}});
}

TEST(ComplexFunctions, acosh) {
  check(complex::acosh,
        {{{0.5, 0.5}, {0x1.0fafb8f2f147fp-1, 0x1.1e5730110f9c7p+0}},
         {{1.0000001, 1e-09}, {0x1.d4f17c2a99dbdp-12, 0x1.2c1dbf96ce99ep-19}},
         {{-3, 4}, {0x1.271aeb80e9646p+1, 0x1.1a363cc2afbc4p+1}}});
}

TEST(ComplexFunctions, atanh) {
  check(complex::atanh,
        {{{0.5, 0.5}, {0x1.9c041f7ed8d33p-2, 0x1.1b6e192ebbe44p-1}},
         {{0.99999999, 1e-09}, {0x1.31bddc615829ep+3, 0x1.983e282e58bbbp-5}},
         {{1e+300, 1e+290}, {0x1.56e1fc2f8f359p-997, 0x1.921fb54442d18p+0}},
         {{1e-250, 2.5}, {0x1.947ff4cd6a16ep-834, 0x1.30b6d796a4da8p+0}}});
}

TEST(ComplexFunctions, sqrt) {
  check(complex::sqrt,
        {{{3, -4}, {0x1.0000000000000p+1, -0x1.0000000000000p+0}},
         {{-1, 1e-300}, {0x1.56e1fc2f8f359p-998, 0x1.0000000000000p+0}},
         {{1e-320, 1e-310}, {0x1.8454e39e3779fp-516, 0x1.8454e39d90b0ep-516}},
         {{1e+308, 1e+308}, {0x1.a38d1f21aa181p+511, 0x1.5b9150ea5fa22p+510}}});
}

TEST(ComplexFunctions, rsqrt) {
  check(
      complex::rsqrt,
      {{{3, -4}, {0x1.999999999999ap-2, 0x1.999999999999ap-3}},
       {{-1, 1e-100}, {0x1.bff2ee48e0530p-334, -0x1.0000000000000p+0}},
       {{1e-200, 1e-210}, {0x1.249ad2594c37dp+332, -0x1.f6b0f092959c8p+297}}});
}

TEST(ComplexFunctions, cbrt) {
  check(
      complex::cbrt,
      {{{-8, 0}, {0x1.0000000000000p+0, 0x1.bb67ae8584caap+0}},
       {{1, 1e-09}, {0x1.0000000000000p+0, 0x1.6e80fe033c8c7p-32}},
       {{-1e+300, 1e+200}, {0x1.249ad2594c37dp+331, 0x1.face6bc50001bp+331}}});
}

TEST(ComplexFunctions, sign) {
  check(complex::sign,
        {{{3, -4}, {0x1.3333333333333p-1, -0x1.999999999999ap-1}},
         {{1e+308, 1e+300}, {0x1.0000000000000p+0, 0x1.5798ee2308c3ap-27}},
         {{1e-320, -1e-320}, {0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1}}});
}

TEST(ComplexFunctions, pow) {
  const ComplexPower values[] = {
      {{1, 2}, {3, 0}, {-0x1.6000000000000p+3, -0x1.0000000000000p+1}},
      {{1, 2}, {-5, 0}, {0x1.adea897635e74p-7, 0x1.8e757928e0c9ep-7}},
      {{3, -4}, {0.5, 0}, {0x1.0000000000000p+1, -0x1.0000000000000p+0}},
      {{3, -4}, {-1.5, 0}, {0x1.0624dd2f1a9fcp-6, 0x1.6872b020c49bap-4}},
      {{1, 2}, {3, 4}, {0x1.08362e9b5c4e0p-3, 0x1.15e7fab25f9c9p-5}},
      {{2, 0}, {0.25, 0}, {0x1.306fe0a31b715p+0, 0}},
      {{-0.5, 1e-09},
       {0.1, -30},
       {-0x1.29590f4d6193bp+135, 0x1.69950c89d3d05p+135}},
      {{10000000000.0, -1},
       {1.75, 1},
       {-0x1.1eec56c47a036p+57, -0x1.e2ed90843d76cp+57}},
      {{2, 3}, {100, 0}, {-0x1.4735253a08703p+184, -0x1.93f86aa890d8dp+184}}};
  for (const ComplexPower &value : values)
    expectSame(complex::pow(value.z, value.w), value.result, value.z);
  // Powers of numbers between the axes have parts that are exactly 0.
  expectSame(complex::pow({0, 1}, 2), {-1, 0}, {0, 1});
  expectSame(complex::pow({3, 3}, 4), {-324, 0}, {3, 3});
  expectSame(complex::pow({-4, 0.0}, 0.5), {0, 2}, -4);
  expectSame(complex::pow({-4, -0.0}, 1.5), {0, 8}, -4);
  expectSame(complex::pow({0, 0}, 2), 0, 0);
  expectSame(complex::pow({0, 0}, 0), 1, 0);
}

/// The sign of a zero chooses the side of a branch cut, as in C99.
TEST(ComplexFunctions, signsOfZero) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  check(complex::sqrt, {{{-4, 0.0}, {0, 2}}, {{-4, -0.0}, {0, -2}}});
  check(complex::log, {{{-1, 0.0}, {0, pi}},
                       {{-1, -0.0}, {0, -pi}},
                       {{-0.0, 0.0}, {-HUGE_VAL, pi}}});
  check(complex::exp, {{{0, -0.0}, {1, -0.0}}});
  check(complex::expm1, {{{-0.0, -0.0}, {-0.0, -0.0}}});
  check(complex::sin, {{{-0.0, 0.0}, {-0.0, 0}}, {{0, -0.0}, {0, -0.0}}});
  check(complex::tan, {{{-0.0, -0.0}, {-0.0, -0.0}}});
  check(complex::tanh, {{{-0.0, 0.0}, {-0.0, 0.0}}});
  check(complex::asinh, {{{-0.0, 0.0}, {-0.0, 0.0}}});
  check(complex::atanh, {{{1, -0.0}, {HUGE_VAL, -0.0}}});
  check(complex::sign, {{{-0.0, 0.0}, {-0.0, 0.0}}});
}

TEST(ComplexFunctions, overflow) {
  check(complex::exp, {{{800, 3}, {-HUGE_VAL, HUGE_VAL}},
                       {{800, 0.0}, {HUGE_VAL, 0}},
                       {{-1e308, 1}, {0, 0}}});
  check(complex::cosh, {{{-1e308, 1}, {HUGE_VAL, -HUGE_VAL}}});
  check(complex::tanh, {{{1e308, 2}, {1, -0.0}}});
}

TEST(ComplexFunctions, notKnown) {
  EXPECT_FALSE(complex::rsqrt(0));
  EXPECT_FALSE(complex::pow(0, -1));
  EXPECT_FALSE(complex::pow(0, {1, 1}));
  EXPECT_FALSE(complex::exp({0, 0x1p52}));
  // An angle of about 2^60.
  EXPECT_FALSE(complex::pow(2, {1, 0x1p60}));
  // Products that overflow.
  EXPECT_FALSE(complex::pow({2, 1}, {1e308, 1e308}));
  EXPECT_FALSE(complex::pow(2, 1e308));
  // exp(x) + cos(y) vanishes near here, and logistic's real part with it.
  EXPECT_FALSE(complex::logistic({-37.24084616220841, -4.71238898038469}));
}
