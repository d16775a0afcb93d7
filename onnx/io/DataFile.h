//===- DataFile.h - A new file of external data -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Collects the contents of a new data file. Every tensor begins at a multiple
// of the alignment; the space between is a hole. Equal ranges of one input file
// are stored once.
//
//   DataFile data("model.onnx.data");
//   uint64_t offset = data.add(Content::payload(payloadOf(elements)));
//   ... encodeExternalInitializer(header, data.location(), offset, size);
//   if (Error error = data.write(*output, pool)) return error;
//
// Thread safety: as EditScript.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_DATAFILE_H
#define ONNXFOLD_ONNX_IO_DATAFILE_H

#include "onnxfold/onnx/io/DataPlacement.h"
#include "onnxfold/onnx/io/EditScript.h"
#include <map>
#include <optional>

namespace onnxfold {

class DataFile {
public:
  /// `location` is relative to the folder of the model, as tensors name it.
  explicit DataFile(std::string location, uint64_t alignment = mappingAlignment)
      : path(std::move(location)), alignment(alignment) {}

  llvm::StringRef location() const { return path; }
  bool empty() const { return end == 0; }
  uint64_t size() const { return end; }

  /// Reserves space for the content and returns its offset. A range of an input
  /// file that was added before gets the same offset.
  uint64_t add(Content content);

  /// The offset of a range of an input file, if it was added before.
  std::optional<uint64_t> find(const Content &content) const;

  /// Writes all contents, but does not commit the output.
  llvm::Error write(OutputFile &output, llvm::ThreadPoolInterface *pool) const {
    return script.write(output, pool);
  }

private:
  /// Device, file, begin and end.
  using Range = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;
  static std::optional<Range> rangeOf(const Content &content);

  std::string path;
  uint64_t alignment;
  EditScript script;
  uint64_t end = 0;
  std::map<Range, uint64_t> ranges;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_DATAFILE_H
