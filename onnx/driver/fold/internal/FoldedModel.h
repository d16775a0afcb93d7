//===- FoldedModel.h - A model, and what its fold tells the writer -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The value that the steps of foldModel pass on: the prepared model, and what
// evaluation, plan and rewrites leave for those that write. It must not move:
// its evaluation notes conflicts in it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDEDMODEL_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDEDMODEL_H

#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/onnx/driver/fold/NodeFilter.h"
#include "onnxfold/onnx/driver/fold/internal/GrowthRecord.h"
#include "onnxfold/onnx/driver/fold/internal/ShownMistakes.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/driver/report/internal/ReportCollector.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "onnxfold/onnx/transforms/runonce/RunOnce.h"

namespace onnxfold {

struct FoldedModel {
  PreparedModel prepared;
  std::optional<RunOnce> once; ///< of --run-once
  GrowthRecord growth;
  /// The rules of --rules; null if there are none.
  const std::deque<CleanUpPattern> *rules = nullptr;
  llvm::StringSet<> undone; ///< rewrites that these undo
  NodeFilter filter;        ///< empty without --only and --skip
  mlir::OwningOpRef<mlir::ModuleOp> replaced; ///< by --target-opset and
                                              ///< --compact-constants
  /// Of the nodes that --compact-constants made: the constants of that name.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> computed;
  bool isConverted = false; ///< `prepared` was made by foldWritten()
  /// Operators became functions, whose floats round otherwise.
  bool isRounded = false;
  std::optional<TypeConversion> conversion; ///< by --convert
  bool movesWeights = false; ///< converted ones go to a data file, as before
  std::optional<ReportCollector> collector; ///< from "begin" to "plan"
  std::optional<ModuleFolding> folding;
  KnownTypes types;
  TypeConflicts conflicts; ///< that the evaluation found
  ShownMistakes shown;     ///< that an evaluation would have shown

  mlir::ModuleOp module() const { return prepared.module(); }
  const RewriteSession &session() const { return folding->cleanUp().session(); }
  /// Nothing is read then, and without nodes ONNX Runtime loads no model.
  bool hasNoOutputs() const {
    return prepared.imported.index->mainGraph().outputs.empty();
  }

  /// `next` takes the place of the model. What was learned of that belongs to
  /// it.
  llvm::Error replace(ImportedModel next);
};

/// False if all types stay as they are in the file, but for those of a new
/// interface.
bool editsTypes(const FoldOptions &options);

/// True if functions that nothing calls are not written.
bool removesUnused(const FoldedModel &model, const FoldOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_FOLDEDMODEL_H
