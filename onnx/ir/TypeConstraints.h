//===- TypeConstraints.h - Types that parameters take -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For the files of onnx/ir only; checkInputTypes in ShapeInference.h is the
// public part.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_TYPECONSTRAINTS_H
#define ONNXFOLD_ONNX_IR_TYPECONSTRAINTS_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// Sets the types of the outputs without a type, if the schema leaves only one:
/// the only type that the parameter takes, or the type of an input which must
/// have the same type.
void inferFromConstraints(const onnx::OpSchema &schema,
                          llvm::ArrayRef<InferenceInput> inputs,
                          llvm::MutableArrayRef<onnx::TypeProto> outputs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_TYPECONSTRAINTS_H
