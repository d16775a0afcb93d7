//===- ComplexFunctions.cpp - Kernels of functions of two kinds -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/support/ComplexFunctions.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// Of functions in pairs of doubles, for an element: 5 microseconds.
static constexpr double unitsOfComplex = 400 * unitsOfFunction;

/// What stands for a value that is not known: no known one has a NaN.
static const Complex unknown(NAN, NAN);

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

/// `y` in the type of the operands, if all its elements are known.
static FoldResult allKnown(const Elements &y, DataType type) {
  if (auto where = ops::firstWhere<Complex>(
          y, [](Complex z) { return std::isnan(z.real()); }))
    return undefined("element " + place(*where, y) +
                     " is at a pole, or 106 bits do not give its value");
  return ops::cast(y, type);
}

FoldResult hlo::foldOfComplex(FoldContext &cx, ops::complex::Function f,
                              ChoosesSide choosesSide) {
  Elements x = inDouble(cx.input(0));
  if (Reason much =
          cx.checkWork(x.isSplat() ? 1 : double(x.size()), unitsOfComplex))
    return much;
  if (Reason open = checkFinite(x))
    return open;
  if (auto where = ops::firstWhere<Complex>(x, choosesSide))
    return undefined("element " + place(*where, x) +
                     " is on a branch cut, of which a -0 chooses the side");
  Elements y = ops::mapAs<Complex, Complex>(
      x, [=](Complex z) { return f(z).value_or(unknown); });
  return allKnown(y.compacted(), cx.input(0).type());
}

FoldResult hlo::foldOfComplexes(FoldContext &cx, ops::complex::Function2 f) {
  DataType type = cx.input(0).type();
  auto [x, y] = ops::broadcast(inDouble(cx.input(0)), inDouble(cx.input(1)));
  bool isSplat = x.isSplat() && y.isSplat();
  if (Reason much =
          cx.checkWork(isSplat ? 1 : double(x.size()), unitsOfComplex))
    return much;
  for (const Elements &operand : {x, y})
    if (Reason open = checkFinite(operand))
      return open;
  Elements values = ops::zipAs<Complex, Complex, Complex>(
      x, y, [=](Complex z, Complex w) { return f(z, w).value_or(unknown); });
  return allKnown(values.compacted(), type);
}
