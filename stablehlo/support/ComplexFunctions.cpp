//===- ComplexFunctions.cpp - Kernels of functions of two kinds -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/support/ComplexFunctions.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// Of functions in pairs of doubles, for an element: 9 microseconds.
static constexpr double unitsOfComplex = 750 * unitsOfFunction;

static bool isFinite(Complex z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

static std::string place(int64_t number, const Elements &x) {
  return toString(ops::indexOf(number, x.shape()));
}

static Reason checkFinite(const Elements &x) {
  if (auto where =
          ops::firstWhere<Complex>(x, [](Complex z) { return !isFinite(z); }))
    return undefined("element " + place(*where, x) +
                     " is a complex number that is not finite");
  return {};
}

static Reason notKnown(int64_t where, const Elements &x) {
  return undefined("element " + place(where, x) +
                   " is at a pole, or 106 bits do not give its value");
}

FoldResult hlo::foldOfComplex(FoldContext &cx, ops::complex::Function f,
                              ChoosesSide choosesSide) {
  Elements x = inDouble(cx.input(0));
  if (Reason much = cx.checkWork(double(x.size()), unitsOfComplex))
    return much;
  if (Reason open = checkFinite(x))
    return open;
  if (auto where = ops::firstWhere<Complex>(x, choosesSide))
    return undefined("element " + place(*where, x) +
                     " is on a branch cut, of which a -0 chooses the side");
  if (auto where =
          ops::firstWhere<Complex>(x, [=](Complex z) { return !f(z); }))
    return notKnown(*where, x);
  return ops::cast(ops::mapAs<Complex, Complex>(
                       x, [=](Complex z) { return f(z).value_or(Complex()); }),
                   cx.input(0).type());
}

FoldResult hlo::foldOfComplexes(FoldContext &cx, ops::complex::Function2 f) {
  DataType type = cx.input(0).type();
  auto [x, y] = ops::broadcast(inDouble(cx.input(0)), inDouble(cx.input(1)));
  if (Reason much = cx.checkWork(double(x.size()), unitsOfComplex))
    return much;
  for (const Elements &operand : {x, y})
    if (Reason open = checkFinite(operand))
      return open;
  Elements isOpen = ops::zipAs<bool, Complex, Complex>(
      x, y, [=](Complex z, Complex w) { return !f(z, w); });
  if (auto where = ops::firstWhere<bool>(isOpen, [](bool is) { return is; }))
    return notKnown(*where, x);
  return ops::cast(
      ops::zipAs<Complex, Complex, Complex>(
          x, y,
          [=](Complex z, Complex w) { return f(z, w).value_or(Complex()); }),
      type);
}
