//===- FoldQuantization.h - Quantization that folds -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_FOLDQUANTIZATION_H
#define ONNXFOLD_ONNX_FOLDING_FOLDQUANTIZATION_H

namespace onnxfold {

/// --fold-quantization: which QuantizeLinear and DequantizeLinear fold. They
/// tell a runtime to use integer kernels, so by default none of them does.
enum class FoldQuantization {
  None,
  Weights, // QuantizeLinear: constants become four times smaller
  /// Nodes that read quantised constants fold, but those constants are kept
  /// quantised where kept nodes read them. An evaluation keeps both operators;
  /// ModuleFolding decides (ModuleFoldingOptions::computesQuantized).
  Compute,
  All,
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_FOLDQUANTIZATION_H
