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
#ifndef ONNXFOLD_ONNX_IO_WRITE_TENSORMOVER_H
#define ONNXFOLD_ONNX_IO_WRITE_TENSORMOVER_H

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/read/TensorWalk.h"
#include "onnxfold/onnx/io/write/DataParts.h"

namespace onnxfold {

/// The value fields of a TensorProto, in their declared wire types; others of
/// the same numbers are unknown fields and are kept.
bool isValueField(const WireField &field);

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

  /// Moves the bytes of a tensor out of the model that is written, for a reader
  /// in this process: appends them to `values`. False: it keeps them.
  llvm::Expected<bool> lend(const TensorIndex &tensor, TensorPlace place,
                            Subject subject,
                            std::vector<ValueInMemory> &values);
  /// The model was made in memory by lend() of another writer.
  bool isLent(const TensorIndex &tensor) const {
    return tensor.external && model.external->inMemory(*tensor.external);
  }

private:
  bool mayEdit(const TensorIndex &tensor);
  llvm::Expected<uint64_t> eraseValue(const TensorIndex &tensor);
  llvm::Expected<Content> contentOf(const TensorIndex &tensor, Subject subject);

  const ImportedModel &model;
  EditScript &script;
  DataParts *data;
  WireReader reader;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_TENSORMOVER_H
