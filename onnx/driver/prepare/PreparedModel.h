//===- PreparedModel.h - A model as it is before anything folds -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The first part of every run: a model is read, the part that the user wants is
// cut out, and inputs are fixed. All programs use it.
//
//   ModelSource source(ModelInput::file("model.onnx"));
//   PreparedModel model;
//   if (llvm::Error error =
//           prepareModel(source, options, context, run, model).takeError())
//     return error;
//
// The options that it uses are cut, fixed, keepInitializers, limits, dataRoots,
// streamFolder, only and skip. Warnings and steps go to the scope of the run.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_PREPAREDMODEL_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_PREPAREDMODEL_H

#include "onnxfold/onnx/driver/prepare/ModelContext.h"
#include "onnxfold/onnx/transforms/batch/BatchOpening.h"
#include "onnxfold/onnx/transforms/runonce/HeldInitializers.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "onnxfold/onnx/transforms/specialize/Specialize.h"

namespace onnxfold {

/// The source of a model, which can be read more than once.
class ModelSource {
public:
  explicit ModelSource(const ModelInput &input);

  /// The name in messages: that of the file, "<stdin>" or "<memory>".
  const std::string &name() const { return label; }
  bool isMemory() const { return input.model.has_value(); }
  bool isStream() const;
  const InputFileRef &file() const { return opened; }
  /// The folder of its data files; nothing: that of the model's file.
  std::optional<std::string> dataFolder(const FoldOptions &options) const;

  llvm::Error open();
  /// REQUIRES: open().
  llvm::Expected<ImportedModel> import(mlir::MLIRContext &context,
                                       const FoldOptions &options) const;

private:
  ModelInput input;
  std::string label;
  InputFileRef opened;
};

/// The fate of an input that has an initializer (IR version 4 and later).
enum class InputDefaults {
  Overridable, ///< it stays an input, which a caller may give
  Fixed        ///< it is that constant
};

struct PreparedModel {
  std::string name; ///< of the source, for messages
  ImportedModel imported;
  std::optional<GraphCut> cut;          ///< of --inputs and --outputs
  std::optional<HeldInitializers> held; ///< of --keep-initializer
  /// The batch that --batch=open opened in `imported`, and in the model that
  /// prepareAgain() returned last.
  std::shared_ptr<OpenedBatch> batch;
  /// Initializers that nothing reads in the file. With --only and --skip they
  /// are kept, since this run did not cause that.
  llvm::StringSet<> unread;

  mlir::ModuleOp module() const { return imported.module.get(); }
  llvm::Error failed(const llvm::Twine &text) const {
    return ModelFault().file(name).says(text);
  }
};

/// Runs the steps "read", "cut", "defaults", "fix" and "batch", which the report
/// lists themselves: as one step it is always unchanged.
llvm::Expected<StepResult>
prepareModel(ModelSource &source, const FoldOptions &options,
             ModelContext &context, RunScope &run, PreparedModel &model,
             InputDefaults defaults = InputDefaults::Overridable);

/// The model once more, before its fold: cut as `model` was, with the same
/// inputs fixed.
llvm::Expected<ImportedModel> prepareAgain(const ModelSource &source,
                                           const FoldOptions &options,
                                           ModelContext &context,
                                           const PreparedModel &model);

/// The step "hold": what --keep-initializer names is held, so that nothing of it
/// folds.
llvm::Expected<StepResult> holdInitializers(PreparedModel &model,
                                            const FoldOptions &options);

/// The initializers that no node reads and no caller can feed: before IR
/// version 4 runtimes let no caller replace an initializer.
llvm::SmallVector<mlir::Operation *>
unreadInitializers(const ImportedModel &model);

/// The values of inputs of the main graph that have an initializer, of those
/// that are wanted.
llvm::Expected<std::vector<std::pair<std::string, Elements>>> readInputDefaults(
    const ImportedModel &model,
    llvm::function_ref<bool(const TensorIndex &)> isWanted =
        [](const TensorIndex &) { return true; });

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_PREPAREDMODEL_H
