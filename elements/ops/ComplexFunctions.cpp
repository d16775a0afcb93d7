//===- ComplexFunctions.cpp - Functions of complex numbers ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z is x + iy. Formulas are chosen so that they add numbers of one sign; where
// there is none, the rest of what cancels knows how accurate it is (Estimate).
// Functions of iz are those of z, turned: i sin(z) = sinh(iz).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/ComplexFunctions.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/internal/DoubleDouble.h"
#include <algorithm>
#include <limits>

using namespace onnxfold::ops;
using namespace onnxfold::ops::detail;

/// Functions whose names this file and the standard library have too.
namespace dd = onnxfold::ops::detail;

using complex::Number;
using Result = std::optional<Number>;

static constexpr double infinite = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// A product that keeps the sign of a zero, as arithmetic in pairs does not.
static DoubleDouble times(DoubleDouble a, DoubleDouble b) {
  double high = a.high * b.high;
  return high == 0 ? high : a * b;
}
static DoubleDouble over(DoubleDouble a, DoubleDouble b) {
  return a.high == 0 ? a.high / b.high : a / b;
}

static DoubleDouble abs(DoubleDouble a) { return a.high < 0 ? -a : a; }

/// a with the sign of a double, which may be that of a zero.
static DoubleDouble withSign(DoubleDouble a, double sign) {
  return std::signbit(a.high) == std::signbit(sign) ? a : -a;
}

/// The number without its power of two, where that is not below 2^-1100.
static DoubleDouble plain(Scaled a) {
  return scaled(a.number, int(std::fmax(a.exponent, -1100)));
}
static double rounded(Scaled a) {
  return a.number.high == 0 ? a.number.high : a.rounded();
}

/// a with its exponent taken out, so that it is in [1, 2) or 0.
static Scaled normal(DoubleDouble a) {
  if (a.high == 0)
    return {a};
  int exponent = std::ilogb(a.high);
  return {scaled(a, -exponent), double(exponent)};
}
static Scaled normal(Scaled a) {
  Scaled result = normal(a.number);
  result.exponent += a.exponent;
  return result;
}

static int exponentOf(DoubleDouble x, DoubleDouble y) {
  return std::ilogb(std::fmax(std::fabs(x.high), std::fabs(y.high)));
}

namespace {

/// Both parts of a result.
struct Parts {
  Scaled real, imag;
};

/// A number and how far it may be off, in units of 2^-98 of its size. A zero
/// without doubt is exact.
struct Estimate {
  DoubleDouble value;
  double doubt = 1;

  bool isKnown() const { return doubt < 0x1p42; }
};

} // namespace

static Estimate operator*(Estimate a, Estimate b) {
  DoubleDouble value = times(a.value, b.value);
  return {value, value.high == 0 ? 0 : a.doubt + b.doubt + 1};
}
static Estimate operator+(Estimate a, Estimate b) {
  DoubleDouble value = a.value + b.value;
  double error =
      std::fabs(a.value.high) * a.doubt + std::fabs(b.value.high) * b.doubt;
  return {value, error == 0 ? 0 : error / std::fabs(value.high) + 1};
}
static Estimate operator-(Estimate a) { return {-a.value, a.doubt}; }

static Number rounded(const Parts &parts) {
  return {rounded(parts.real), rounded(parts.imag)};
}

/// -i w, for functions of iz.
static Result turnedBack(Result w) {
  if (!w)
    return {};
  return Number(w->imag(), -w->real());
}
static Number turned(Number z) { return {-z.imag(), z.real()}; }

/// Or not a number, as products beyond 2^900 are.
static bool isTooLarge(double angle) { return !(std::fabs(angle) < 0x1p52); }

static bool isZero(Number z) { return z.real() == 0 && z.imag() == 0; }

//===----------------------------------------------------------------------===//
// Real functions
//===----------------------------------------------------------------------===//

namespace {
struct Hyperbolic {
  Scaled sinh, cosh;
};
} // namespace

static Hyperbolic sinhCosh(double x) {
  double size = std::fabs(x);
  Scaled sinh, cosh;
  if (size < 0.35) {
    DoubleDouble less = dd::expm1(size), power = less + 1.0;
    sinh = {scaled(less + over(less, power), -1)};
    cosh = {1.0 + scaled(less * less / power, -1)};
  } else if (size < 40) {
    DoubleDouble power = plain(dd::exp(size)), inverse = 1.0 / power;
    sinh = {scaled(power - inverse, -1)};
    cosh = {scaled(power + inverse, -1)};
  } else { // the other power is below 2^-115 of this one
    sinh = cosh = {scaled(dd::exp(size).number, -1), dd::exp(size).exponent};
  }
  sinh.number = withSign(sinh.number, x);
  return {sinh, cosh};
}

/// The inverse of sinh, of a number that is not negative.
static DoubleDouble asinhOf(DoubleDouble a) {
  if (a.high < 0x1p-200)
    return a;
  DoubleDouble square = a * a;
  return dd::log1p(a + square / (dd::sqrt(square + 1.0) + 1.0));
}

/// The angle of the point (x, y); y may be a zero with a sign.
static Scaled angleOf(DoubleDouble y, DoubleDouble x) {
  bool isLeft = std::signbit(x.high);
  if (y.high == 0)
    return {isLeft ? withSign(pi, y.high) : y};
  if (x.high == 0)
    return {withSign(scaled(pi, -1), y.high)};
  Scaled a = normal(y), b = normal(x);
  double difference = a.exponent - b.exponent;
  if (difference < -120) {
    Scaled small = {a.number / b.number, difference};
    if (!isLeft)
      return small;
    return {withSign(pi, y.high) + plain(small)};
  }
  if (difference > 120)
    return {withSign(scaled(pi, -1), y.high)};
  b.number = scaled(b.number, int(-difference));
  // A double, and what it lacks: the tangent of an angle below 2^-50.
  double near = a.number.high;
  wide::atan2(&near, &b.number.high, 1);
  SinCos at = sinCos(near);
  return {(a.number * at.cos - b.number * at.sin) /
              (b.number * at.cos + a.number * at.sin) +
          near};
}

/// log(|x + iy|), which are not both 0.
static DoubleDouble logOfSize(DoubleDouble x, DoubleDouble y) {
  int exponent = exponentOf(x, y);
  DoubleDouble a = scaled(x, -exponent), b = scaled(y, -exponent);
  return scaled(dd::log(a * a + b * b), -1) + logOf2 * double(exponent);
}

/// log(|z|), accurate near 1 too.
static DoubleDouble logOfSize(Number z) {
  double x = z.real(), y = z.imag();
  if (std::max(std::fabs(x), std::fabs(y)) < 2) {
    DoubleDouble a = exactProduct(x, x), b = exactProduct(y, y);
    DoubleDouble more =
        sumOf<5>({b.low, a.low, b.high, a.high, -1}); // |z|^2 - 1
    if (std::fabs(more.high) < 0.5)
      return scaled(dd::log1p(more), -1);
  }
  return logOfSize(DoubleDouble(x), DoubleDouble(y));
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

namespace {
struct Root {
  Parts parts;
  Scaled size; // of the number, not of its root
};
} // namespace

/// The root in the right half plane. REQUIRES: x and y are not both 0.
static Root rootOf(DoubleDouble x, DoubleDouble y) {
  int exponent = exponentOf(x, y) & ~1; // even, and at most the larger one
  DoubleDouble a = abs(scaled(x, -exponent)), b = abs(scaled(y, -exponent));
  DoubleDouble size = dd::sqrt(a * a + b * b);
  DoubleDouble larger = dd::sqrt(scaled(size + a, -1));
  double half = 0.5 * exponent; // a whole number
  Scaled part = {larger, half};
  // |y| / 2 of a number that may be far below the other one.
  Scaled ownY = normal(abs(y));
  Scaled rest = {ownY.number / scaled(larger, 1), ownY.exponent - half};
  if (x.high == 0)
    rest = part;
  Parts parts = std::signbit(x.high) && x.high != 0 ? Parts{rest, part}
                                                    : Parts{part, rest};
  parts.imag.number = withSign(parts.imag.number, y.high);
  return {parts, {size, double(exponent)}};
}

Result complex::sqrt(Number z) {
  if (isZero(z))
    return Number(0, z.imag());
  return rounded(rootOf(z.real(), z.imag()).parts);
}

Result complex::rsqrt(Number z) {
  if (isZero(z))
    return {};
  Root root = rootOf(z.real(), z.imag());
  auto divided = [&](Scaled part) -> Scaled {
    return {over(part.number, root.size.number),
            part.exponent - root.size.exponent};
  };
  Scaled imag = divided(root.parts.imag);
  return rounded(
      Parts{divided(root.parts.real), {-imag.number, imag.exponent}});
}

Result complex::sign(Number z) {
  if (isZero(z))
    return z;
  Scaled size = rootOf(z.real(), z.imag()).size;
  auto divided = [&](double part) {
    Scaled own = normal(part);
    return rounded(
        Scaled{over(own.number, size.number), own.exponent - size.exponent});
  };
  return Number(divided(z.real()), divided(z.imag()));
}

//===----------------------------------------------------------------------===//
// Powers of e, and logarithms
//===----------------------------------------------------------------------===//

/// A product of which b may be subnormal.
static Scaled timesTiny(Scaled a, DoubleDouble b) {
  Scaled own = normal(b);
  return {times(a.number, own.number), a.exponent + own.exponent};
}

/// size (cos + i sin).
static Parts polar(Scaled size, SinCos angle) {
  return {timesTiny(size, angle.cos), timesTiny(size, angle.sin)};
}

Result complex::exp(Number z) {
  if (isTooLarge(z.imag()))
    return {};
  return rounded(polar(dd::exp(z.real()), sinCos(z.imag())));
}

Result complex::expm1(Number z) {
  double x = z.real(), y = z.imag();
  if (isZero(z))
    return z;
  if (isTooLarge(y))
    return {};
  Scaled power = dd::exp(x);
  Parts parts = polar(power, sinCos(y));
  if (x > 600) // the cosine of a double is above 2^-120
    return rounded(parts);
  Estimate real;
  if (std::fabs(x) < 0.35) {
    // (e^x - 1) cos(y) - 2 sin(y / 2)^2
    DoubleDouble sine = sinCos(y / 2).sin;
    real = Estimate{times(dd::expm1(x), sinCos(y).cos)} +
           Estimate{scaled(times(sine, -sine), 1)};
  } else {
    real = Estimate{plain(parts.real)} + Estimate{-1, 0};
  }
  if (!real.isKnown())
    return {};
  return rounded(Parts{{real.value}, parts.imag});
}

Result complex::log(Number z) {
  double angle = rounded(angleOf(z.imag(), z.real()));
  if (isZero(z))
    return Number(-infinite, angle);
  DoubleDouble size = logOfSize(z);
  return Number(size.high + size.low, angle);
}

Result complex::log1p(Number z) {
  double x = z.real(), y = z.imag();
  DoubleDouble moved = exactSum(x, 1);
  double angle = rounded(angleOf(y, moved));
  if (moved.high == 0 && y == 0)
    return Number(-infinite, angle);
  if (std::max(std::fabs(x), std::fabs(y)) < 4) {
    DoubleDouble a = exactProduct(x, x), b = exactProduct(y, y);
    DoubleDouble more =
        sumOf<5>({b.low, a.low, b.high, a.high, 2 * x}); // |1 + z|^2 - 1
    if (std::fabs(more.high) < 0.5) {
      // The squares of tiny numbers are lost, and x may be subnormal; of others
      // |1 + z| is exactly 1.
      bool isTiny = more.high == 0 && std::fabs(x) < 0x1p-900;
      return Number(isTiny ? x : rounded(Scaled{dd::log1p(more), -1}), angle);
    }
  }
  DoubleDouble size = logOfSize(moved, y);
  return Number(size.high + size.low, angle);
}

/// With w = exp(-|x|) and D = |1 + w exp(iy)|^2, which is (1 - w)^2 +
/// 4 w cos(y / 2)^2: the real part is 1 + w cos(y) or w (w + cos(y)) of D, and
/// the imaginary one w sin(y).
Result complex::logistic(Number z) {
  double x = z.real(), y = z.imag();
  if (isTooLarge(y))
    return {};
  Scaled power = dd::exp(-std::fabs(x));
  DoubleDouble w = plain(power), half = sinCos(y / 2).cos;
  DoubleDouble square = scaled(half * half, 1); // 1 + cos(y)
  DoubleDouble less = std::fabs(x) < 0.35 ? dd::expm1(-std::fabs(x)) : w - 1.0;
  DoubleDouble divisor = less * less + scaled(w * square, 1);
  Scaled imag = {over(times(power.number, sinCos(y).sin), divisor),
                 power.exponent};
  if (!std::signbit(x))
    return rounded(Parts{{(w * square - less) / divisor}, imag});
  Estimate rest = Estimate{less} + Estimate{square};
  if (!rest.isKnown())
    return {};
  return rounded(
      Parts{{power.number * rest.value / divisor, power.exponent}, imag});
}

//===----------------------------------------------------------------------===//
// Circular and hyperbolic functions
//===----------------------------------------------------------------------===//

static Parts product(const Hyperbolic &x, const SinCos &y) {
  return {timesTiny(normal(x.sinh), y.cos), timesTiny(normal(x.cosh), y.sin)};
}

Result complex::sinh(Number z) {
  if (isTooLarge(z.imag()))
    return {};
  return rounded(product(sinhCosh(z.real()), sinCos(z.imag())));
}

Result complex::cosh(Number z) {
  if (isTooLarge(z.imag()))
    return {};
  auto [sinh, cosh] = sinhCosh(z.real());
  return rounded(product({cosh, sinh}, sinCos(z.imag())));
}

/// (sinh x cosh x + i sin y cos y) / (sinh(x)^2 + cos(y)^2).
Result complex::tanh(Number z) {
  double x = z.real(), y = z.imag();
  if (isTooLarge(y))
    return {};
  SinCos angle = sinCos(y);
  DoubleDouble imag = times(angle.sin, angle.cos);
  if (std::fabs(x) >= 40) {
    Scaled power = dd::exp(-2 * std::fmin(std::fabs(x), 1e6));
    return Number(std::copysign(1, x), rounded(Scaled{times(imag, power.number),
                                                      power.exponent + 2}));
  }
  Hyperbolic of = sinhCosh(x);
  DoubleDouble sinh = plain(of.sinh);
  DoubleDouble divisor = sinh * sinh + angle.cos * angle.cos;
  Scaled real = normal(of.sinh), turn = normal(imag); // may be subnormal
  return rounded(
      Parts{{over(times(real.number, plain(of.cosh)), divisor), real.exponent},
            {over(turn.number, divisor), turn.exponent}});
}

Result complex::sin(Number z) { return turnedBack(sinh(turned(z))); }
Result complex::cos(Number z) { return cosh(turned(z)); }
Result complex::tan(Number z) { return turnedBack(tanh(turned(z))); }

//===----------------------------------------------------------------------===//
// Their inverses
//===----------------------------------------------------------------------===//

namespace {
/// The angles of arc sine and arc cosine, and the size of the imaginary part
/// that both have.
struct Arc {
  Scaled sine, cosine;
  DoubleDouble imag;
};
} // namespace

/// By the roots of 1 - z and 1 + z (W. Kahan, 1987), whose products add numbers
/// of one sign.
static Arc arcOf(Number z) {
  double x = z.real(), y = std::fabs(z.imag());
  if (std::max(std::fabs(x), y) > 0x1p300)
    return {angleOf(x, y), angleOf(y, x), logOfSize(x, y) + logOf2};
  auto root = [y](DoubleDouble real) -> std::pair<DoubleDouble, DoubleDouble> {
    if (real.high == 0 && y == 0)
      return {0, 0};
    Parts parts = rootOf(real, y).parts;
    return {plain(parts.real), plain(parts.imag)};
  };
  auto [p, q] = root(exactSum(1, -x));
  auto [u, v] = root(exactSum(1, x));
  Scaled cosine = angleOf(p, u);
  return {angleOf(x, p * u + q * v),
          {scaled(cosine.number, 1), cosine.exponent},
          asinhOf(p * v + q * u)};
}

static double signedImag(const Arc &arc, double y) {
  return std::copysign(arc.imag.high + arc.imag.low, y);
}

Result complex::asin(Number z) {
  Arc arc = arcOf(z);
  return Number(rounded(arc.sine), signedImag(arc, z.imag()));
}

Result complex::acos(Number z) {
  Arc arc = arcOf(z);
  return Number(rounded(arc.cosine), signedImag(arc, -z.imag()));
}

Result complex::acosh(Number z) {
  Arc arc = arcOf(z);
  return Number(signedImag(arc, 1),
                std::copysign(rounded(arc.cosine), z.imag()));
}

/// The real part of the arc of the hyperbolic tangent, of |x|, where the number
/// is neither 1 nor beyond 2^300: log(1 + 4 |x| / ((1 - |x|)^2 + y^2)) / 4.
static Scaled atanhOfReal(double x, double y) {
  DoubleDouble distance = exactSum(1, -x);
  DoubleDouble divisor = distance * distance + exactProduct(y, y);
  if (x < 0x1p-200) {
    Scaled own = normal(x);
    return {own.number / divisor, own.exponent};
  }
  if (divisor.high > 0x1p-900)
    return {dd::log1p(4 * x / divisor), -2};
  return {logOf2 - logOfSize(distance, y), -1}; // x is 1
}

/// The imaginary part is half the angle of 1 - |z|^2 and 2y.
Result complex::atanh(Number z) {
  double x = z.real(), y = z.imag(), size = std::fabs(x);
  if (size == 1 && y == 0)
    return Number(std::copysign(infinite, x), y);
  if (std::max(size, std::fabs(y)) > 0x1p300) {
    // The real part of 1 / z, and a quarter of a turn.
    Scaled own = normal(x), length = rootOf(x, y).size;
    double real =
        rounded(Scaled{over(over(own.number, length.number), length.number),
                       own.exponent - 2 * length.exponent});
    return Number(real, std::copysign(pi.high / 2, y));
  }
  DoubleDouble a = exactProduct(x, x), b = exactProduct(y, y);
  DoubleDouble less = sumOf<5>({-b.low, -a.low, -b.high, -a.high, 1});
  Scaled angle = angleOf(2 * y, less);
  --angle.exponent;
  return Number(std::copysign(rounded(atanhOfReal(size, y)), x),
                rounded(angle));
}

Result complex::asinh(Number z) { return turnedBack(asin(turned(z))); }
Result complex::atan(Number z) { return turnedBack(atanh(turned(z))); }

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

Result complex::cbrt(Number z) {
  if (isZero(z))
    return z;
  Scaled angle = angleOf(z.imag(), z.real());
  angle.number = over(angle.number, 3.0);
  Scaled size = dd::exp(logOfSize(z) / 3.0);
  if (angle.exponent < -900) // the sine of a tiny angle
    return rounded(Parts{
        size,
        {times(size.number, angle.number), size.exponent + angle.exponent}});
  return rounded(polar(size, sinCos(plain(angle))));
}

namespace {
struct Point {
  Estimate real, imag;
};
} // namespace

static Point operator*(const Point &a, const Point &b) {
  return {a.real * b.real + -(a.imag * b.imag),
          a.real * b.imag + a.imag * b.real};
}

/// Both parts, unless one is not known. A part of a power of a number vanishes
/// only if the number is real, imaginary or between these (`isOnRay`), where
/// it is exactly 0.
static Result checked(const Point &point, double exponent, bool isOnRay) {
  auto isKnown = [=](const Estimate &part) {
    return part.isKnown() || (isOnRay && part.value.high == 0);
  };
  if (!isKnown(point.real) || !isKnown(point.imag))
    return {};
  return rounded(
      Parts{{point.real.value, exponent}, {point.imag.value, exponent}});
}

/// A whole power of the number whose parts these are.
static Result wholePower(const Parts &parts, int power) {
  Scaled x = normal(parts.real), y = normal(parts.imag);
  double exponent = std::max(x.number.high == 0 ? -infinite : x.exponent,
                             y.number.high == 0 ? -infinite : y.exponent);
  if (x.number.high != 0 && y.number.high != 0 &&
      std::fabs(x.exponent - y.exponent) > 800)
    return {};
  DoubleDouble a = plain({x.number, x.exponent - exponent});
  DoubleDouble b = plain({y.number, y.exponent - exponent});
  bool isOnRay = a.high == 0 || b.high == 0 || (abs(a) - abs(b)).high == 0;
  Point base = {{a}, {b}}, result = {{1, 0}, {0, 0}};
  for (unsigned left = std::abs(power); left != 0; left >>= 1) {
    if (left & 1)
      result = result * base;
    base = base * base;
  }
  if (power >= 0)
    return checked(result, exponent * power, isOnRay);
  Estimate size = result.real * result.real + result.imag * result.imag;
  Estimate inverse = {1.0 / size.value, size.doubt + 1};
  return checked({result.real * inverse, -(result.imag * inverse)},
                 exponent * power, isOnRay);
}

Result complex::pow(Number z, Number w) {
  constexpr double mostTurns = 64;
  if (isZero(w))
    return Number(1, 0);
  if (isZero(z)) // XLA and others differ for exponents that are not real
    return w.real() > 0 && w.imag() == 0 ? Result(Number(0, 0)) : Result();
  if (w.imag() == 0 && std::fabs(w.real()) <= mostTurns) {
    if (double power = w.real(); power == std::trunc(power))
      return wholePower({{z.real()}, {z.imag()}}, int(power));
    if (double twice = 2 * w.real(); twice == std::trunc(twice))
      return wholePower(rootOf(z.real(), z.imag()).parts, int(twice));
  }
  Scaled ofZ = angleOf(z.imag(), z.real());
  auto isTiny = [](double a) { return a != 0 && std::fabs(a) < 0x1p-800; };
  if (ofZ.exponent < -900 || isTiny(w.real()) || isTiny(w.imag()))
    return {};
  constexpr double doubt = 8;
  Estimate size = {logOfSize(z), doubt};
  Estimate angle = {plain(ofZ), ofZ.number.high == 0 ? 0 : doubt};
  Estimate c = {w.real(), 0}, d = {w.imag(), 0};
  Estimate power = c * size + -(d * angle), turns = d * size + c * angle;
  if (isTooLarge(turns.value.high))
    return {};
  Scaled length = dd::exp(power.value);
  SinCos at = sinCos(turns.value);
  Estimate factor = {length.number,
                     std::fabs(power.value.high) * power.doubt + doubt};
  double error = std::fabs(turns.value.high) * turns.doubt;
  auto part = [&](DoubleDouble value) -> Estimate {
    return factor * Estimate{value, error / std::fabs(value.high) + doubt};
  };
  Estimate imag = turns.value.high == 0 && turns.doubt == 0
                      ? Estimate{turns.value, 0}
                      : part(at.sin);
  return checked({part(at.cos), imag}, length.exponent, false);
}
