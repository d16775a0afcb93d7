//===- ComplexFunctions.h - Kernels of functions of two kinds ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// StableHLO has most elementary functions for floats and for complex numbers:
//
//   registry.add("sine",
//                {1}, alike<foldFunction<wide::sin, complex::sin>, 1>)
//
// Of a complex number that is not finite XLA and C have different values, and
// on some branch cuts: XLA's square root takes -0 for 0. These are kept.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_SUPPORT_COMPLEXFUNCTIONS_H
#define ONNXFOLD_STABLEHLO_SUPPORT_COMPLEXFUNCTIONS_H

#include "onnxfold/elements/ops/ComplexFunctions.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"

namespace onnxfold::hlo {

/// Whether the sign of a part that is 0 chooses between two values of which XLA
/// takes the same for both.
using ChoosesSide = bool (*)(Complex);

inline bool isAlwaysOne(Complex) { return false; }

/// f of each element of the first input, which is complex.
FoldResult foldOfComplex(FoldContext &cx, ops::complex::Function f,
                         ChoosesSide choosesSide = isAlwaysOne);

/// f of each pair of elements of the first two inputs, which are complex.
FoldResult foldOfComplexes(FoldContext &cx, ops::complex::Function2 f);

/// A function of floats, or of complex numbers.
template <ops::WideFunction f, ops::complex::Function g,
          ChoosesSide choosesSide = isAlwaysOne>
FoldResult foldFunction(FoldContext &cx) {
  return isComplex(cx.input(0).type()) ? foldOfComplex(cx, g, choosesSide)
                                       : foldWide<f>(cx);
}

} // namespace onnxfold::hlo

#endif // ONNXFOLD_STABLEHLO_SUPPORT_COMPLEXFUNCTIONS_H
