//===- MlShapes.h - Shapes of operators of ai.onnx.ml -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ONNX library (1.23.2) has no inference functions for most operators of
// ai.onnx.ml, and some of those that it has infer the element type only. These
// shapes follow the text of the specification and the behaviour of runtimes: a
// vector is one row.
//
// Thread safety: pure functions. Errors: none; dimensions that are not known
// are left open.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_MLSHAPES_H
#define ONNXFOLD_ONNX_IR_MLSHAPES_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// Adds shapes to the entries of `types` that have no shape, or no known
/// dimensions.
void addMlShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                 InferredTypes &types);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_MLSHAPES_H
