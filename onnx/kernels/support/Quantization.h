//===- Quantization.h - Attributes of (De)QuantizeLinear --------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Quantize.h"

namespace onnxfold {

/// What QuantizeLinear and DequantizeLinear have in common: x is quantised by
/// the tensor, by slices of an axis or by blocks of it.
struct Quantization {
  Elements x, scale, zeroPoint; // zeroPoint may be null
  ops::QuantizeOptions options;
};

/// Inputs and attributes at the operator's version, or why they do not fit.
ReasonOr<Quantization> quantizationOf(FoldContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_QUANTIZATION_H
