//===- Import.h - A model file as MLIR --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builds the module (onnx/ir/Model.h says how a model looks there) from the
// index of a file. Payloads are not read: constants hold Elements over ranges
// of the file, mapped while they are read; only small ones are copied.
//
//   auto model = importModel(file, context);
//   model->module->dump();
//
// An initializer becomes an onnx.Constant at the top of its graph's block,
// unless a caller may override its value: initializers that are graph inputs
// too (IR >= 4), and those that training information binds, are not constants.
// Values that graphs of training read are operands of an onnx.Custom
// "onnx-fold.Keep" that is not a node. Nodes that do not fit their schema become
// onnx.Custom. Nodes that are not topologically sorted are sorted, stably; a
// cycle is an error that names it.
//
// A text model is turned into the binary form first; for other files the error
// says what they are (ForeignFormat.h).
//
// Errors name the file, the graph and the node; no part of the module remains
// after an error.
// Thread safety: one import per context at a time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_IMPORT_H
#define ONNXFOLD_ONNX_IO_READ_IMPORT_H

#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// A model in the IR, and the file that it is to be written back to.
struct ImportedModel {
  std::unique_ptr<ModelIndex> index;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The files of external data that the model refers to.
  std::unique_ptr<ExternalData> external;
  /// Warnings for the user: nodes that were sorted, unknown opsets, ...
  std::vector<std::string> warnings;
  /// The types of some values state sizes below 0, which are taken as unknown.
  bool statesNegativeSizes = false;
  /// Some node is of an operator without a schema here, or breaks its schema.
  bool hasCustomNodes = false;
  /// Inputs that importModel made constants because of a pattern.
  llvm::StringSet<> bound;
  /// The file as given, if the model was text (ForeignFormat.h) and the index
  /// is that of its binary form.
  InputFileRef textFile;

  /// The files of the model that this one was made from in memory; values may
  /// still be read from them.
  llvm::SmallVector<InputFileRef, 0> earlierFiles;
  bool mayReplaceEarlier = false; ///< an output may replace these

  /// The model's file and its data files, which an output must never replace.
  llvm::SmallVector<FileIdentity> inputFiles() const;

  /// An error if one of these files is another one than when it was opened. To
  /// be asked when all values have been read: of a file that is cut meanwhile,
  /// reads may succeed with zeros.
  llvm::Error checkUnchanged() const;
};

/// `dataRoots`: folders that external data may lie in too, through links (see
/// ExternalData.h). `locations`: each operation's location is the name of its
/// node, for diagnostics and remarks; that takes about 200 bytes a node, which
/// live as long as the context. (Operator::nodeName has the name in any case.)
/// `bound`: patterns of names; inputs of the graph that have an initializer and
/// match are constants, and no inputs any more. One that matches none is an
/// error; an empty one matches all, also if there are none. REQUIRES: no other thread uses the context (operators are
/// registered).
llvm::Expected<ImportedModel>
importModel(InputFileRef file, mlir::MLIRContext &context,
            llvm::ArrayRef<std::string> dataRoots = {}, bool locations = true,
            llvm::ArrayRef<std::string> bound = {});

/// The same for a model whose data files were found by other means.
llvm::Expected<ImportedModel>
importModel(InputFileRef file, mlir::MLIRContext &context,
            std::unique_ptr<ExternalData> external, bool locations = true,
            llvm::ArrayRef<std::string> bound = {});

/// Inputs of the main graph that have an initializer, which a caller may
/// override; none before IR version 4.
std::vector<std::string> overridableInputs(const ModelIndex &index);

/// Names of the graph's initializers, dense and sparse.
llvm::StringSet<> initializerNames(const GraphIndex &graph);

/// True if a caller may override the value of an initializer that is a graph
/// input too (IR version 4 and later). Before that version every initializer is
/// a graph input, and is a constant nevertheless.
bool initializersMayBeOverridden(const ModelIndex &index);

/// An initializer that is no constant here: sparse, of an unknown type, or the
/// state of training. It is an onnx.Custom that is not a node.
bool isOpaqueInitializer(mlir::Operation *op);

/// The value of an entry of the model's metadata_props (at most 64 KiB of it),
/// or nothing if there is no such entry.
llvm::Expected<std::optional<std::string>> readMetadata(const ModelIndex &index,
                                                        llvm::StringRef key);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_IMPORT_H
