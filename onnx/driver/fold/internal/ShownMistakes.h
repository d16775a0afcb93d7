//===- ShownMistakes.h - Mistakes that a fold would show --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A fold may show the checker and ONNX Runtime a mistake that the model always
// had, and that they did not see (InferenceCheck.h). Then the model is read and
// evaluated once more, and keeps the nodes that hide it. If that does not help,
// a third evaluation keeps all nodes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_SHOWNMISTAKES_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_SHOWNMISTAKES_H

#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

struct FoldedModel;

struct ShownMistakes {
  unsigned rounds = 0;    ///< evaluations that were given up
  llvm::StringSet<> kept; ///< first outputs of nodes that hide a mistake
  bool keepsAll = false;  ///< every node does
  std::vector<std::string> texts;

  /// No reason if the node hides nothing.
  Reason whyKept(mlir::Operation *op) const;
};

/// Looks at the evaluated model. True if it would show a mistake: model.shown
/// says what to keep in another evaluation.
llvm::Expected<bool> findShownMistakes(FoldedModel &model,
                                       const FoldOptions &options,
                                       const ModelSource &source,
                                       ModelContext &context);

void warnOfShownMistakes(const FoldedModel &model, RunScope &run);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_SHOWNMISTAKES_H
