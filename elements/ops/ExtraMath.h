//===- ExtraMath.h - Transcendental functions that ONNX lacks ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// More functions for mapWide and zipWide. They keep the promises of Math.h:
// results are within 1 ulp of the exact value, with the same bits on every
// processor. They have their own header so that the kernels of ONNX do not
// depend on them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_EXTRAMATH_H
#define ONNXFOLD_ELEMENTS_OPS_EXTRAMATH_H

#include <cstddef>

namespace onnxfold::ops::wide {

void exp2(double *values, size_t count);
void log2(double *values, size_t count);
void log10(double *values, size_t count);
void cbrt(double *values, size_t count);

/// y[i] = the angle of the point (x[i], y[i]).
void atan2(double *y, const double *x, size_t count);

} // namespace onnxfold::ops::wide

#endif // ONNXFOLD_ELEMENTS_OPS_EXTRAMATH_H
