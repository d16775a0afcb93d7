//===- ModelContext.h - The context of the models of a run ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An MLIRContext with the dialects of a model, in which ONNX folds, and the
// operators that --schemas describes.
//
//   ModelContext context;
//   if (llvm::Error error = context.addFolding(options, run).takeError())
//     return error;
//
// Thread safety: that of MLIRContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_MODELCONTEXT_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_MODELCONTEXT_H

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {

class ModelContext {
public:
  /// `more`: dialects besides those of a model.
  explicit ModelContext(
      const mlir::DialectRegistry &more = mlir::DialectRegistry());

  /// Makes ONNX fold as the options say: quantization, schemas. To be called
  /// once, before a model is read. Changed: files of schemas were read.
  llvm::Expected<StepResult> addFolding(const FoldOptions &options,
                                        RunScope &run);

  /// The same with nothing of options.
  void addFolding();

  /// The rules of --rules: none until they are loaded (RuleFiles.h).
  RuleSet &rules() { return ruleSet; }
  const RuleSet &rules() const { return ruleSet; }

  /// Inference was in doubt about some node (OnnxFoldingOptions::noteDoubt).
  bool hasDoubt() const { return doubt; }

  operator mlir::MLIRContext &() { return context; }

private:
  llvm::Error readLibrary(const InputFileRef &library,
                          const FoldOptions &options, RunScope &run);

  mlir::MLIRContext context;
  RuleSet ruleSet{context};
  bool doubt = false;
  /// Models whose functions compute operators, and these functions.
  std::vector<ImportedModel> libraries;
  std::vector<std::unique_ptr<mlir::SymbolTable>> functions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_MODELCONTEXT_H
