//===- DataFile.h - A new file of external data, and moving tensors there -===//
//
// DataFile collects the contents of a new data file. Every tensor begins at a
// multiple of 64 KiB (so that it can be mapped on any system); the space
// between is a hole. Equal ranges of one input file are stored once.
//
// TensorMover moves the tensors that a model file has already: into the data
// file, or out of data files into the model. Only the value fields of the
// TensorProto are edited; its other fields, unknown ones included, are kept.
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
#include "onnxfold/onnx/io/ExternalData.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/TensorWalk.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace onnxfold {

/// Smaller tensors are always in the model file (as in the onnx package).
constexpr uint64_t smallestExternalTensor = 1024;

class DataFile {
public:
  /// `location` is relative to the folder of the model, as tensors name it.
  explicit DataFile(std::string location) : path(std::move(location)) {}

  llvm::StringRef location() const { return path; }
  bool empty() const { return end == 0; }
  uint64_t size() const { return end; }

  /// Reserves space for it and returns its offset. A range of a file that is
  /// there already gets the same place.
  uint64_t add(Content content);

  /// Writes all of it. Does not commit.
  llvm::Error write(OutputFile &output, llvm::ThreadPoolInterface *pool) const {
    return script.write(output, pool);
  }

private:
  std::string path;
  EditScript script;
  uint64_t end = 0;
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>, uint64_t> ranges;
};

class TensorMover {
public:
  /// Tensors of at least smallestExternalTensor bytes go to `data`, external
  /// ones that are smaller into the model; without `data` all go into the
  /// model.
  TensorMover(const ImportedModel &model, EditScript &script, DataFile *data)
      : model(model), script(script), data(data), reader(model.index->file()) {}

  /// False, and nothing has changed, if the tensor cannot be moved: it
  /// contradicts itself, or is in several pieces.
  llvm::Expected<bool> move(const TensorIndex &tensor, TensorPlace place,
                            llvm::StringRef subject);

private:
  bool mayEdit(const TensorIndex &tensor);
  llvm::Error eraseValue(const TensorIndex &tensor);
  llvm::Expected<Content> contentOf(const TensorIndex &tensor,
                                    llvm::StringRef subject);

  const ImportedModel &model;
  EditScript &script;
  DataFile *data;
  WireReader reader;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_DATAFILE_H
