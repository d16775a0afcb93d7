//===- DataFile.h - A new file of external data -----------------*- C++ -*-===//
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

#include "onnxfold/onnx/io/EditScript.h"
#include <map>
#include <optional>

namespace onnxfold {

/// Mappings begin at multiples of it on every system (Windows has the largest).
constexpr uint64_t mappingAlignment = 64 * 1024;

class DataFile {
public:
  /// `location` is relative to the folder of the model, as tensors name it.
  explicit DataFile(std::string location, uint64_t alignment = mappingAlignment)
      : path(std::move(location)), alignment(alignment) {}

  llvm::StringRef location() const { return path; }
  bool empty() const { return end == 0; }
  uint64_t size() const { return end; }

  /// Reserves space for it and returns its offset. A range of a file that is
  /// there already gets the same place.
  uint64_t add(Content content);

  /// The offset of a range of a file, if it is there already.
  std::optional<uint64_t> find(const Content &content) const;

  /// Writes all of it. Does not commit.
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
