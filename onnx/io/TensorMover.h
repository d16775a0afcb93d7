//===- TensorMover.h - Tensors of a model file elsewhere --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Moves the existing tensors of a model file into new data files, or out of
// data files into the model. Only the value fields of the TensorProto are
// edited; its other fields, unknown ones included, are kept.
//
// Thread safety: as EditScript.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_TENSORMOVER_H
#define ONNXFOLD_ONNX_IO_TENSORMOVER_H

#include "onnxfold/onnx/io/DataParts.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorWalk.h"

namespace onnxfold {

class TensorMover {
public:
  /// Tensors that reach the threshold of `data` are moved there, smaller
  /// external ones into the model file. If `data` is null, all are moved into
  /// the model file.
  TensorMover(const ImportedModel &model, EditScript &script, DataParts *data)
      : model(model), script(script), data(data), reader(model.index->file()) {}

  /// Moves a tensor. Returns false and changes nothing if it cannot be moved
  /// because it contradicts itself or is in several pieces.
  llvm::Expected<bool> move(const TensorIndex &tensor, TensorPlace place,
                            Subject subject);

private:
  bool mayEdit(const TensorIndex &tensor);
  llvm::Error eraseValue(const TensorIndex &tensor);
  llvm::Expected<Content> contentOf(const TensorIndex &tensor, Subject subject);

  const ImportedModel &model;
  EditScript &script;
  DataParts *data;
  WireReader reader;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_TENSORMOVER_H
