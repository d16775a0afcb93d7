//===- DataParts.h - New external data in one file or several ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides which values become external data, and in which file. The files have
// the names that the loaders of model hubs expect: `model.onnx_data`,
// `model.onnx_data_1`, `model.onnx_data_2` ... A new file is begun where a
// tensor would make the current one longer than `shard`; a tensor that is
// longer than that gets a file of its own. Ranges of input files with
// the same bytes are stored once.
//
//   DataParts data("model.onnx_data", {.shard = 2 << 30});
//   if (data.takes(bytes)) {
//     auto [location, offset] = data.add(std::move(content));
//
// Ownership: locations live as long as the object. Thread safety: as
// EditScript.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_DATAPARTS_H
#define ONNXFOLD_ONNX_IO_WRITE_DATAPARTS_H

#include "onnxfold/onnx/io/write/DataFile.h"
#include "onnxfold/onnx/io/write/DataPlacement.h"

namespace onnxfold {

/// The name of part `number` of the data called `location`.
std::string dataPartName(llvm::StringRef location, size_t number);

class DataParts {
public:
  /// `location` is relative to the folder of the model, as tensors name it.
  DataParts(std::string location, const DataLayout &layout)
      : location(std::move(location)), layout(layout) {}

  /// Whether a tensor of this size becomes external data.
  bool takes(uint64_t bytes) const {
    return bytes != 0 && bytes >= layout.threshold;
  }

  struct Place {
    llvm::StringRef location;
    uint64_t offset;
  };
  Place add(Content content);

  const std::deque<DataFile> &files() const { return parts; }
  bool empty() const { return parts.empty(); }
  /// The bytes of all files together.
  uint64_t size() const;

private:
  std::string location;
  DataLayout layout;
  std::deque<DataFile> parts;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_DATAPARTS_H
