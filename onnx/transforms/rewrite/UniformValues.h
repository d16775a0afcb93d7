//===- UniformValues.h - Tensors of one number ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   if (isUniform(cx, 1, 1.0)) ... // all elements are 1, however many they are
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_UNIFORMVALUES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_UNIFORMVALUES_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

namespace onnxfold {

/// The element that all of a value are, of rank 0, also where its shape is known
/// at run time only; null if there is none that is known.
Elements uniformOf(const CleanUpContext &cx, mlir::Value value);

/// All elements of input #i are this number, however many they are.
bool isUniform(const CleanUpContext &cx, unsigned i, double number);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_UNIFORMVALUES_H
