//===- InDouble.h - Formulas on floats, in double ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For activation functions with parameters: the formula of the specification is
// computed in double, and the result is rounded once to the float type of x.
//
//   return inDouble(cx.input(0), [alpha](double v) { return alpha * v; });
//   return inDouble(cx.input(0), wide::expm1, [](double v, double e) {...});
//
// Parameters are attributes and therefore f32 values. The result is null if x
// is not f16, bf16, f32 or f64. Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_INDOUBLE_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_INDOUBLE_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"

namespace onnxfold {

/// f(v) for every element v of x.
template <class F> Elements inDouble(const Elements &x, F f) {
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return inDouble(e[0], f); });
  Elements wide = ops::cast(x, DataType::Float64);
  return ops::cast(ops::mapAs<double, double>(wide, f), x.type());
}

/// f(v, g(v)) for every element v of x; g is transcendental (Math.h).
template <class F>
Elements inDouble(const Elements &x, ops::WideFunction g, F f) {
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return inDouble(e[0], g, f); });
  Elements wide = ops::cast(x, DataType::Float64);
  return ops::cast(
      ops::zipAs<double, double, double>(wide, ops::mapWide(wide, g), f),
      x.type());
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_INDOUBLE_H
