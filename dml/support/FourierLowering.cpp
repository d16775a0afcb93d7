//===- FourierLowering.cpp - Discrete Fourier transforms in DML -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/FourierLowering.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Columns of real and imaginary parts, of `used` numbers that are read.
static std::vector<double> fourierMatrix(const Fourier &f, int64_t used) {
  int64_t columns = f.out * f.outParts;
  std::vector<double> values(used * f.inParts * columns);
  for (int64_t n = 0; n < used; ++n)
    for (int64_t k = 0; k < f.out; ++k) {
      // Within one turn: the angles are exact.
      double angle = 2 * M_PI * double(n * k % f.length) / double(f.length);
      double real = std::cos(angle),
             imaginary = f.inverse ? std::sin(angle) : -std::sin(angle);
      if (f.inverse) {
        // Half a spectrum stands for the other half, too.
        bool isTwice = f.isHalf && n != 0 && 2 * n != f.length;
        real *= (isTwice ? 2.0 : 1.0) / double(f.length);
        imaginary *= (isTwice ? 2.0 : 1.0) / double(f.length);
      }
      double *at = &values[n * f.inParts * columns + k * f.outParts];
      at[0] = real;
      if (f.outParts == 2)
        at[1] = imaginary;
      if (f.inParts == 2) {
        at[columns] = -imaginary;
        if (f.outParts == 2)
          at[columns + 1] = real;
      }
    }
  return values;
}

Lowered dml::fourierTransformed(LoweringContext &cx, const Fourier &f,
                                View &rows) {
  bool isReal = f.isHalf && f.inverse;
  if (f.length < 1 || f.outParts != (isReal ? 1 : 2) ||
      (f.isHalf && f.inParts != (f.inverse ? 2 : 1)) || f.inParts > 2)
    return Lowered::refused("real and complex numbers do not go together");
  int64_t read = isReal ? f.length / 2 + 1 : f.length;
  int64_t used = std::min(f.in, read), columns = f.out * f.outParts;
  if (used * f.inParts * columns > int64_t(1) << 26)
    return Lowered::refused("the transform is too long for a matrix product");
  Expr x = rows.expr;
  if (used < f.in)
    x = cx.local("signal", x).slice({}, {}, 1, used * f.inParts);
  std::vector<double> values = fourierMatrix(f, used);
  Expr turns = cx.constantMatrix(
      "turns",
      Elements::fromValues<double>({used * f.inParts, columns}, values),
      used * f.inParts, columns);
  rows = {x.times(turns), rows.rows, {columns}};
  return Lowered::done();
}
