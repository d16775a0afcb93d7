//===- Division.h - Where integer division is undefined ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_DIVISION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_DIVISION_H

#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

namespace onnxfold {

/// The first pair for which x / y and x mod y are undefined in their integer
/// type, as a reason; nothing for floats. REQUIRES: equal shapes and types.
Reason findUndefinedDivision(const Elements &x, const Elements &y);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_DIVISION_H
