//===- CutModel.h - --inputs and --outputs ----------------------*- C++ -*-===//
//
// Cuts the main graph of a model that was just read (GraphCut.h), with types
// for its new inputs and outputs: those that the file declares, as far as
// inference over the whole model does not know better.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_CUTMODEL_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_CUTMODEL_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"

namespace onnxfold {

/// `known`: the same cut of the same model, whose types are taken over. Errors:
/// as those of GraphCut; a new input or output of unknown type; training
/// information in the model.
llvm::Expected<GraphCut> cutModel(ImportedModel &model, const CutNames &names,
                                  const FoldLimits &limits,
                                  const GraphCut *known = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_CUTMODEL_H
