//===- CutModel.h - --inputs and --outputs ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the main graph of a model that was just read (GraphCut.h). Its new
// inputs and outputs get the types that the file declares, or more precise ones
// that are inferred over the whole model.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_CUTMODEL_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_CUTMODEL_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/transforms/specialize/GraphCut.h"

namespace onnxfold {

/// `known`: the same cut of the same model, from which the types are copied.
/// Errors: those of GraphCut; a new input or output of unknown type; training
/// information in the model.
llvm::Expected<GraphCut> cutModel(ImportedModel &model, const CutNames &names,
                                  const FoldLimits &limits,
                                  const GraphCut *known = nullptr);

/// Warnings about new inputs and outputs whose rank is not known: readers other
/// than ONNX Runtime may refuse an interface without ranks. To be called after
/// inputs were fixed.
std::vector<std::string> rankProblems(const GraphCut &cut,
                                      mlir::ModuleOp module);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_INTERNAL_CUTMODEL_H
