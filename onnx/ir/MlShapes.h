//===- MlShapes.h - Shapes of operators of ai.onnx.ml -----------*- C++ -*-===//
//
// The ONNX library (1.23.2) has no inference functions for most operators of
// ai.onnx.ml, and some of those that it has know the element type only. These
// shapes are what the text says and runtimes make: a vector is one row.
//
// Thread safety: pure. Errors: none; what is not known is left open.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_MLSHAPES_H
#define ONNXFOLD_ONNX_IR_MLSHAPES_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// Adds shapes to those of `types` that have none, or no known dimensions.
void addMlShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                 InferredTypes &types);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_MLSHAPES_H
