//===- InferenceAdditions.h - Where ONNX infers less than we do -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// inferTypes() (ShapeInference.h) calls these after the functions of the ONNX
// library (1.23.2). Thread safety: pure functions. Errors: none; dimensions
// that are not known are left open.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_INFERENCEADDITIONS_H
#define ONNXFOLD_ONNX_IR_INFERENCEADDITIONS_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// The library has no inference functions for many operators of opset 1, so
/// that neither the checker nor we saw a wrong size that a model declares for
/// their results. Adds its shape, as the text of the version has it, to the
/// first entry of `types`, if it has none and the schema has no inference
/// function.
void addFirstVersionShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                           InferredTypes &types);

/// The library has no inference functions for most operators of ai.onnx.ml, and
/// some of those that it has infer the element type only. Adds shapes, which
/// follow the text and the behaviour of runtimes (a vector is one row), to the
/// entries of `types` that have no shape, or no known dimensions.
void addMlShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                 InferredTypes &types);

/// Sets the types of the outputs without a type, if the schema leaves only one:
/// the only type that the parameter takes, or the type of an input which must
/// have the same type.
void inferFromConstraints(const onnx::OpSchema &schema,
                          llvm::ArrayRef<InferenceInput> inputs,
                          llvm::MutableArrayRef<onnx::TypeProto> outputs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_INFERENCEADDITIONS_H
