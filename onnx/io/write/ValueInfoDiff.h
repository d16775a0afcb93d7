//===- ValueInfoDiff.h - What became known of types, as edits ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This part of the exporter calls ExportOptions::editType for every
// ValueInfoProto of a graph or function. It is private to onnx/io. Thread
// safety: as EditScript.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_VALUEINFODIFF_H
#define ONNXFOLD_ONNX_IO_WRITE_VALUEINFODIFF_H

#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

/// REQUIRES: options.editType; erased ranges of the script are final.
llvm::Error diffValueInfos(const ModelIndex &index, EditScript &script,
                           const ExportOptions &options,
                           const GraphIndex &graph, mlir::Block &block);
llvm::Error diffValueInfos(const ModelIndex &index, EditScript &script,
                           const ExportOptions &options,
                           const FunctionIndex &function, mlir::Block &block);

/// Erases outputs of the main graph that its function does not have any more,
/// adds inputs and outputs that the file does not have, and puts both into the
/// order that the function has. A value_info that the file has for such a value
/// is moved to it. REQUIRES: options.editType; the script has erased the inputs
/// that are to be erased.
llvm::Error diffInterface(const ModelIndex &index, EditScript &script,
                          const ExportOptions &options, mlir::Block &block);

/// Outputs of a body that are initializers of it now get a type if they state
/// none: ONNX's inference says that this is another type than the initializer's.
llvm::Error typeNewConstants(const ModelIndex &index, EditScript &script,
                             const ExportOptions &options,
                             const GraphIndex &graph, mlir::Block &block);

/// Names of inputs of the main graph that its function does not have any more:
/// each was replaced by a constant, or has no users.
llvm::StringSet<> findBoundInputs(const ModelIndex &index, mlir::Block &block);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_VALUEINFODIFF_H
