//===- ValueInfoDiff.h - What became known of types, as edits ---*- C++ -*-===//
//
// The part of the exporter that asks ExportOptions::editType about every
// ValueInfoProto of a graph or function. Private to onnx/io.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_VALUEINFODIFF_H
#define ONNXFOLD_ONNX_IO_VALUEINFODIFF_H

#include "onnxfold/onnx/io/Export.h"

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
/// order that the function has. What the file says of a value elsewhere
/// (value_info) moves along. REQUIRES: options.editType; inputs that are erased
/// are erased.
llvm::Error diffInterface(const ModelIndex &index, EditScript &script,
                          const ExportOptions &options, mlir::Block &block);

/// Names of inputs of the main graph that its function does not have any more:
/// a constant replaced each, or nobody reads it. `changesInterface`: as in
/// ExportOptions.
llvm::StringSet<> findBoundInputs(const ModelIndex &index, mlir::Block &block,
                                  bool changesInterface);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_VALUEINFODIFF_H
