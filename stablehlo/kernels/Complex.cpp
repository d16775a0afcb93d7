//===- Complex.cpp - Constant kernels of complex numbers and their parts --===//
// SPDX-License-Identifier: Apache-2.0
//
// Making complex numbers and taking them apart.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// x + i y.
static FoldResult foldComplex(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (x.type() != DataType::Float32 && x.type() != DataType::Float64)
    return Elements();
  return fromParts(x, y,
                   x.type() == DataType::Float32 ? DataType::Complex64
                                                 : DataType::Complex128);
}

/// The real part; a real number is its own.
static FoldResult foldReal(FoldContext &cx) {
  const Elements &x = cx.input(0);
  return isComplex(x.type()) ? realOf(x) : x;
}

/// The imaginary part; that of a real number is 0.
static FoldResult foldImag(FoldContext &cx) {
  const Elements &x = cx.input(0);
  return isComplex(x.type()) ? imagOf(x) : zerosOf(x.type(), x.shape());
}

namespace onnxfold::hlo {
void registerComplex(KernelRegistry &registry) {
  registry.add("complex", {1}, alike<foldComplex>).mapsElements();
  registry.add("real", {1}, alike<foldReal, 1>).mapsElements();
  registry.add("imag", {1}, alike<foldImag, 1>).mapsElements();
}
} // namespace onnxfold::hlo
