//===- ExportSettings.h - How a folded model is written ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The options of the writer for a folded model. The writer's questions are
// answered here, and what they show is noted: texts of nodes that are lost, and
// types that the model states wrongly.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EXPORTSETTINGS_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EXPORTSETTINGS_H

#include "onnxfold/onnx/driver/emit/internal/OutputTarget.h"
#include "onnxfold/onnx/driver/emit/internal/TypeEditor.h"
#include <set>

namespace onnxfold {

class ExportSettings {
public:
  /// The arguments must outlive the settings, and these every exporter.
  ExportSettings(const FoldedModel &model, const FoldOptions &options,
                 const OutputTarget &target)
      : model(model), chosen(options), target(target), types(model, options) {}

  /// REQUIRES: the model was rewritten.
  ExportOptions options();
  TypeEditor &typeEditor() { return types; }

  DataPlacement placement() const;
  /// The output is a file in the folder of the input.
  bool isBesideInput() const;
  /// The data file of the output, relative to its folder.
  std::string dataFile() const;
  /// The data file of a model at this path: "model.onnx.data", or
  /// "model.onnx_data" if the input's are called so, as of model hubs.
  std::string dataFileOf(llvm::StringRef path) const;

  /// Warns of what the output cannot keep. Texts of nodes are one line for all:
  /// models of some exporters have texts at every node.
  void warnOfLosses(RunScope &run) const;

private:
  Cleaning cleaning() const;
  void answerSources(ExportOptions &result);
  llvm::StringSet<> inputsThatAreConstants() const;

  const FoldedModel &model;
  const FoldOptions &chosen;
  const OutputTarget &target;
  TypeEditor types;
  /// Nodes that stand for several, whose texts differ; and the first of them
  /// with the field.
  llvm::DenseSet<mlir::Operation *> lostTexts;
  std::string firstLostText;
  std::set<std::string> lostParameters; ///< names of initializers
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_EXPORTSETTINGS_H
