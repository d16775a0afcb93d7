//===- OriginalModel.h - The model that is reduced --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a model of any size without the bytes of its large tensors: they become
// external data, whose file is the model's own. Candidates are written into the
// folder of that file then, as the format wants it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_ORIGINALMODEL_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_ORIGINALMODEL_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

struct OriginalModel {
  onnx::ModelProto model;
  uint64_t bytes = 0;  ///< of the file
  std::string folder;  ///< of external data
  bool refers = false; ///< to data there
};

llvm::Expected<OriginalModel> readOriginal(llvm::StringRef path);

/// Whether a tensor of the model has external data.
bool refersToFiles(const onnx::ModelProto &model);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_ORIGINALMODEL_H
