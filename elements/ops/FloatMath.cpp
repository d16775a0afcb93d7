//===- FloatMath.cpp - Transcendental functions of f32 --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each formula is good to 42 bits: coefficients were computed with 60 digits
// (interpolation at the zeros of Chebyshev's polynomials; for erf, weighted
// least squares, repeated until the error was level) and have the error that
// stands beside them, and the operations in double add less than 2^-46. All
// results are relative, so one pair of factors is the test for all; subnormal
// floats, overflow and zeros need none of their own. The compiler may fuse
// products with sums (CMakeLists.txt), which is more exact. MathTest compares
// the results of all floats with those of Math.h.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/internal/FloatMath.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/internal/Polynomial.h"
#include "onnxfold/widenum/CpuLevel.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;
using ops::detail::FloatFunction, ops::detail::polynomial;

/// Every f here is a struct with
///   value(x)          f(x) within 2^-42 of it, or anything where result() says
///                     what it is;
///   result(x, value)  the result, of a value that is decided.
/// The latter and bounds on x are computed on floats, of which a vector has
/// twice as many.
template <class F>
[[gnu::always_inline]] static inline bool
decided(const float *__restrict in, float *__restrict out, size_t count) {
  constexpr double least = 1 - 0x1p-42, most = 1 + 0x1p-42;
  uint32_t differences = 0;
  for (size_t i = 0; i < count; ++i) {
    double y = F::value(in[i]);
    float low = float(y * least), high = float(y * most);
    out[i] = F::result(in[i], low);
    differences |= std::bit_cast<uint32_t>(low) ^ std::bit_cast<uint32_t>(high);
  }
  return differences == 0;
}

template <class F>
static bool decidedAtLevel(const float *in, float *out, size_t count) {
  bool result = false, *to = &result;
  atCpuLevel([=] { *to = decided<F>(in, out, count); });
  return result;
}

static constexpr float defaultFloatNan =
    std::numeric_limits<float>::quiet_NaN();

/// condition ? a : b.
static inline float chooseFloat(bool condition, float a, float b) {
  return std::bit_cast<float>(onnxfold::detail::select(
      condition, std::bit_cast<uint32_t>(a), std::bit_cast<uint32_t>(b)));
}

/// x, but between -bound and bound; NaN is either.
static inline float clamped(float x, float bound) {
  x = chooseFloat(x < bound, x, bound);
  return chooseFloat(x > -bound, x, -bound);
}

namespace {
/// exp(x) = power + rest, where |rest| < power / 2, for |x| <= 512.
struct PowerOfE {
  double power, rest;
};

struct OfNumbers {
  static float result(float x, float value) {
    return chooseFloat(x != x, defaultFloatNan, value);
  }
};
} // namespace

/// exp(x) = 2^n exp(r), |r| <= log(2) / 2.
[[gnu::always_inline]] static inline PowerOfE powerOfE(double x) {
  // (exp(r) - 1) / r; 2^-43.3.
  static constexpr double c[] = {
      0x1.0000000000000p+0,  0x1.fffffffff71b2p-2,  0x1.5555555553b78p-3,
      0x1.555555742d965p-5,  0x1.1111111c478ebp-7,  0x1.6c164de86dafdp-10,
      0x1.a019ada3609f3p-13, 0x1.a15a600528a0fp-16, 0x1.72c72ca338df0p-19};
  constexpr double rounding = 0x1.8p52; // the last bits of a sum are n
  double shifted = x * 0x1.71547652b82fep+0 + rounding;
  double n = shifted - rounding, r = x - n * 0x1.62e42fefa39efp-1;
  uint64_t exponent = std::bit_cast<uint64_t>(shifted) << 52;
  double power = std::bit_cast<double>(exponent + 0x3ff0000000000000u);
  return {power, power * (r * polynomial(c, r))};
}

namespace {
struct ExpOfFloat : OfNumbers {
  static double value(float x) {
    PowerOfE e = powerOfE(clamped(x, 150)); // beyond, infinity and 0
    return e.power + e.rest;
  }
};

struct SigmoidOfFloat : OfNumbers {
  static double value(float x) {
    PowerOfE e = powerOfE(clamped(-x, 150));
    return 1 / ((1 + e.power) + e.rest);
  }
};

struct TanhOfFloat {
  static double value(float x) {
    float bounded = clamped(std::fabs(x), 10); // tanh(10) is 1
    PowerOfE e = powerOfE(2 * double(bounded));
    double less1 = (e.power - 1) + e.rest;
    return less1 / (less1 + 2);
  }
  static float result(float x, float value) {
    return chooseFloat(x != x, defaultFloatNan, std::copysign(value, x));
  }
};

struct LogOfFloat {
  static double value(float x) {
    // 2 atanh(s) / s in s^2, for |s| <= 0.172; 2^-45.
    static constexpr double c[] = {0x1.fffffffffff12p+0, 0x1.5555555671929p-1,
                                   0x1.9999962b4ece1p-2, 0x1.2494386cc6395p-2,
                                   0x1.c620d3d5e3c79p-3, 0x1.9194764012089p-3};
    // x = 2^n m, sqrt(1/2) <= m < sqrt(2).
    constexpr uint64_t rootOfHalf = 0x3fe6a09e667f3bcd, bias = 1024;
    uint64_t bits = std::bit_cast<uint64_t>(double(x));
    uint64_t biased = (bits - rootOfHalf + (bias << 52)) >> 52;
    double n = std::bit_cast<double>(biased | 0x4330000000000000u) -
               (0x1p52 + double(bias));
    double m = std::bit_cast<double>(bits - ((biased - bias) << 52));
    double s = (m - 1) / (m + 1);
    return n * 0x1.62e42fefa39efp-1 + s * polynomial(c, s * s);
  }
  static float result(float x, float value) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    value = chooseFloat(x < infinity, value, infinity);
    value = chooseFloat(x > 0, value, -infinity);
    return chooseFloat(x >= 0, value, defaultFloatNan);
  }
};

struct ErfOfFloat : OfNumbers {
  static double value(float x) {
    // erf(x) / x = p / q in x^2, for |x| <= 4, where erf is 1; 2^-45.
    static constexpr double p[] = {
        0x1.20dd750429ad6p+0,  0x1.32d6c44b4636bp-2,  0x1.3aff078f46022p-4,
        0x1.55dcb2accab07p-7,  0x1.0f1d805046a01p-10, 0x1.4c7168d6ba8e3p-14,
        0x1.f347f00e8b47ep-19, 0x1.305d9278634dap-23, 0x1.90a6e2e153f6dp-30};
    static constexpr double q[] = {
        0x1.0000000000000p+0,  0x1.32a191a57a62ep-1,  0x1.579edd6789fc8p-3,
        0x1.dcae4b10c33c1p-6,  0x1.c6497b897dd83p-9,  0x1.3649358daefdep-12,
        0x1.308e08fe92e45p-16, 0x1.9a1629c45ededp-21, 0x1.42c38a91d5ba6p-26,
        0x1.af5433697f231p-35};
    double a = clamped(x, 4), square = a * a;
    return a * polynomial(p, square) / polynomial(q, square);
  }
};
} // namespace

FloatFunction ops::detail::floatFunction(void (*wide)(double *, size_t)) {
  static constexpr struct {
    void (*wide)(double *, size_t);
    FloatFunction quick;
  } functions[] = {{wide::exp, decidedAtLevel<ExpOfFloat>},
                   {wide::sigmoid, decidedAtLevel<SigmoidOfFloat>},
                   {wide::tanh, decidedAtLevel<TanhOfFloat>},
                   {wide::log, decidedAtLevel<LogOfFloat>},
                   {wide::erf, decidedAtLevel<ErfOfFloat>}};
  for (const auto &one : functions)
    if (one.wide == wide)
      return one.quick;
  return nullptr;
}
