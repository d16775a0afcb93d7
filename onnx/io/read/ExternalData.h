//===- ExternalData.h - Files that hold tensors of a model ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds and opens the files that tensors with data_location EXTERNAL refer to,
// and refuses every reference that could reach beyond the model: absolute
// paths, `..` and symbolic links out of the model's folder, files with several
// hard links (another name may be anywhere), files that are not regular, and
// ranges beyond the end of the file. The check is made on the file that was
// opened, so a link that changes in between cannot evade it.
//
// Caches of model hubs keep a model and its data as links into a common store.
// So data may also be below the folder of the model's real path, as in ONNX
// Runtime, and below one of the extra roots (`--data-root`), where hard links
// are allowed too.
//
// Ownership: files are opened once and kept open while the resolver or another
// owner holds them. If a model has more data files than the process may open,
// the limit is raised as far as the system allows. Thread safety: resolve() may
// be called from any thread.
//
// Example:
//   ExternalData external(folderOfModel("models/a.onnx"));
//   Expected<ExternalRange> data = external.resolve(
//       *tensor.external, byteSize, "a.onnx: initializer 'w'");
//   // a.onnx: initializer 'w': external file '../w.bin' is outside the model's
//   // folder
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_EXTERNALDATA_H
#define ONNXFOLD_ONNX_IO_READ_EXTERNALDATA_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorIndex.h"

#include "llvm/ADT/StringMap.h"

#include <mutex>
#include <string>
#include <vector>

namespace onnxfold {

/// Bytes of a data file.
struct ExternalRange {
  InputFileRef file;
  ByteRange range;
};

/// A value that a model refers to without a data file. It is computed when it is
/// read, or it is these bytes of another model file.
struct ValueInMemory {
  Elements value;
  InputFileRef file; ///< null: it is computed
  ByteRange range;
};

/// The folder that a model's references are relative to; `.` for a plain name
/// and for standard input.
std::string folderOfModel(llvm::StringRef modelPath);

class ExternalData {
public:
  explicit ExternalData(std::string folder,
                        llvm::ArrayRef<std::string> extraRoots = {});

  /// The resolver for the model at `path`, which may be a symbolic link.
  static std::unique_ptr<ExternalData>
  ofModel(llvm::StringRef path, llvm::ArrayRef<std::string> extraRoots = {});

  /// The `byteSize` bytes that `reference` refers to. Error texts begin with
  /// `subject`: the names of the model and the tensor.
  llvm::Expected<ExternalRange> resolve(const ExternalReference &reference,
                                        uint64_t byteSize, Subject subject);

  /// Makes references to `location` resolve to `file`, a data file that has no
  /// name yet, whatever is on the disk. REQUIRES: `location` was not resolved
  /// before.
  void give(llvm::StringRef location, InputFileRef file);

  /// The location of values that stand in no data file: the offset is the number
  /// of one of those given. No file can have this name.
  static constexpr llvm::StringLiteral memory = "/onnx-fold/memory";
  void hold(std::vector<ValueInMemory> given) { values = std::move(given); }
  llvm::ArrayRef<ValueInMemory> valuesInMemory() const { return values; }
  /// The value that is meant, or null.
  const ValueInMemory *inMemory(const ExternalReference &reference) const {
    return reference.location == memory && reference.offset < values.size()
               ? &values[reference.offset]
               : nullptr;
  }

  /// The folder that references are relative to.
  llvm::StringRef modelFolder() const { return folder; }

  /// The extra roots, for the resolver of another model.
  llvm::ArrayRef<std::string> extraRoots() const { return roots; }

  /// All files opened so far, by location. An output must not replace one of
  /// them, and they may have to be copied to its folder.
  std::vector<std::pair<std::string, InputFileRef>> files() const;

  /// Whether some of these files are outside of the model's folder, so that
  /// another model in the folder could not refer to them.
  bool hasFilesElsewhere() const;

private:
  llvm::Expected<InputFileRef> open(llvm::StringRef location, Subject subject);

  std::string folder;
  std::string home;               ///< its real path (of `folder`)
  std::string realHome;           ///< the folder of the model's real path
  std::vector<std::string> roots; ///< real paths of the extra roots
  mutable std::mutex mutex;
  llvm::StringMap<InputFileRef> opened;
  bool filesElsewhere = false;
  std::vector<ValueInMemory> values;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_EXTERNALDATA_H
