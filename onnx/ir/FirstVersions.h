//===- FirstVersions.h - Shapes of first versions of operators --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ONNX library (1.23.2) has no inference functions for many operators of
// opset 1, so that neither the checker nor we saw a wrong size that a model
// declares for their results. These shapes follow the text of the versions.
//
// Thread safety: pure functions. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_FIRSTVERSIONS_H
#define ONNXFOLD_ONNX_IR_FIRSTVERSIONS_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// Adds its shape to the first entry of `types`, if it has none and the schema
/// has no inference function.
void addFirstVersionShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                           InferredTypes &types);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_FIRSTVERSIONS_H
