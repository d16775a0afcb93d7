//===- Casting.h - What kernels that convert elements share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CASTING_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CASTING_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold {

/// Input #0 converted to `type` by the rules of Cast and CastLike at the
/// version of the operator, which are the same in both.
FoldResult castInput(FoldContext &cx, DataType type);

/// Attribute `saturate` and the rules for infinities of the operator's version:
/// how a float8 result is rounded.
CastOptions castOptions(FoldContext &cx);

/// x as the integer `type`, whatever it holds, for programs (mustDecide): what
/// is out of range is what x86 makes of it, as in ONNX Runtime and the reference
/// evaluator there: the low bits of the number as i32 or i64, whose smallest
/// value stands for all that these cannot hold. REQUIRES: x is a float.
Elements castOfAnyRange(const Elements &x, DataType type);

/// The first element of x whose conversion to the integer `type` is undefined
/// because it is out of range, as a reason. REQUIRES: x is a float.
Reason findOutOfRange(const Elements &x, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CASTING_H
