//===- IrVersion.h - --ir-version -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The version of the format in which a model is written. It says what the file
// may hold (types, functions, initializers that are no inputs), and nothing
// about operators.
//
// Source: enum Version in onnx.proto.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_IRVERSION_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_IRVERSION_H

#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"

namespace onnxfold {

/// Gives the module the version, in which it is then written. An error names
/// what the version cannot hold. Returns whether the model is another one then,
/// to be read and folded again: from version 4 on, inputs with an initializer
/// are constants.
llvm::Expected<bool> changeIrVersion(const FoldedModel &model, int64_t version);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_IRVERSION_H
