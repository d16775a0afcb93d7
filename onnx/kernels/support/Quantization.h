//===- Quantization.h - Attributes of (De)QuantizeLinear --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Quantize.h"

namespace onnxfold {

/// The operands and options of QuantizeLinear and DequantizeLinear: x is
/// quantised per tensor, per slice of an axis, or per block of an axis.
struct Quantization {
  Elements x, scale, zeroPoint; // zeroPoint may be null
  ops::QuantizeOptions options;
};

/// The inputs and attributes at the operator's version, or the reason why they
/// do not fit.
ReasonOr<Quantization> quantizationOf(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H
