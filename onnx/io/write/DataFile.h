//===- DataFile.h - A new file of external data -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Collects the contents of a new data file. Every tensor begins at a multiple
// of the alignment; the space between is a hole. Ranges of input files with the
// same bytes are stored once: a few bytes of each are read, and those of one size
// that agree in these as a whole.
//
//   DataFile data("model.onnx.data");
//   uint64_t offset = data.add(Content::payload(payloadOf(elements)));
//   ... encodeExternalInitializer(header, data.location(), offset, size);
//   if (Error error = data.write(*output, pool)) return error;
//
// Thread safety: as EditScript.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_DATAFILE_H
#define ONNXFOLD_ONNX_IO_WRITE_DATAFILE_H

#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/write/DataPlacement.h"
#include "onnxfold/onnx/io/write/TensorMessages.h"
#include <map>
#include <optional>

namespace onnxfold {

class DataFile {
public:
  /// `location` is relative to the folder of the model, as tensors name it.
  explicit DataFile(std::string location, const DataLayout &layout = {})
      : path(std::move(location)), layout(layout) {}

  llvm::StringRef location() const { return path; }
  bool empty() const { return end == 0; }
  uint64_t size() const { return end; }

  /// Reserves space for the content and returns its offset. A range of an input
  /// file whose bytes were added before gets the same offset.
  uint64_t add(Content content);

  /// The offset of a range of an input file, if its bytes were added before.
  std::optional<uint64_t> find(const Content &content) const;

  /// Writes all contents, but does not commit the output.
  llvm::Error write(OutputFile &output, llvm::ThreadPoolInterface *pool) const {
    return script.write(output, pool);
  }

private:
  /// Device, file, begin and end.
  using Range = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;
  static std::optional<Range> rangeOf(const Content &content);

  /// A range that was added.
  struct Stored {
    InputFileRef file;
    ByteRange range;
    uint64_t offset;
  };
  /// The size, and a hash of some of the bytes.
  using Sample = std::pair<uint64_t, uint64_t>;
  static std::optional<Sample> sampleOf(const Content &content);
  std::optional<uint64_t> find(const Content &content,
                               const std::optional<Sample> &sample) const;
  static bool isEqual(const Stored &stored, const Content &content);

  std::string path;
  DataLayout layout;
  EditScript script;
  uint64_t end = 0;
  std::map<Range, uint64_t> ranges;
  std::map<Sample, std::vector<Stored>> alike;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_DATAFILE_H
