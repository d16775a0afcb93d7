//===- ExternalData.h - Files that hold tensors of a model ----------------===//
//
// Finds and opens the files that tensors with data_location EXTERNAL refer to,
// and refuses every reference that could reach beyond the model: absolute
// paths, `..` and symbolic links out of the model's folder, files with several
// hard links (another name may be anywhere), anything but regular files, and
// ranges beyond the end of the file. The check is made on the file that was
// opened, so it cannot be evaded by a link that changes in between.
//
// Caches of model hubs keep a model and its data as links into a common store.
// So data may also lie below the folder of the model's real path, as ONNX
// Runtime has it, and below one of the extra roots (`--data-root`), where hard
// links are fine too.
//
// Ownership: files are opened once and kept open while the resolver or another
// owner holds them. A model with more data files than the process may open gets
// the limit raised as far as the system allows. Thread safety: resolve() may be
// called from any thread.
//
// Example:
//   ExternalData external(folderOfModel("models/a.onnx"));
//   Expected<ExternalRange> data = external.resolve(
//       *tensor.external, byteSize, "a.onnx: initializer 'w'");
//   // a.onnx: initializer 'w': external file '../w.bin' is outside the model's
//   // folder
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_EXTERNALDATA_H
#define ONNXFOLD_ONNX_IO_EXTERNALDATA_H

#include "onnxfold/onnx/io/TensorIndex.h"

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

/// The folder that a model's references are relative to; `.` for a plain name
/// and for standard input.
std::string folderOfModel(llvm::StringRef modelPath);

class ExternalData {
public:
  explicit ExternalData(std::string folder,
                        llvm::ArrayRef<std::string> extraRoots = {});

  /// For the model in a file, which may be a link.
  static std::unique_ptr<ExternalData>
  ofModel(llvm::StringRef path, llvm::ArrayRef<std::string> extraRoots = {});

  /// The `byteSize` bytes that `reference` means. `subject` begins the error
  /// text: the model's name and the tensor's.
  llvm::Expected<ExternalRange> resolve(const ExternalReference &reference,
                                        uint64_t byteSize,
                                        llvm::StringRef subject);

  /// `location` means `file`, whatever is on the disk: a data file that has no
  /// name yet. REQUIRES: it was not resolved before.
  void give(llvm::StringRef location, InputFileRef file);

  /// What references are relative to.
  llvm::StringRef modelFolder() const { return folder; }

  /// For another model with the same extra roots.
  llvm::ArrayRef<std::string> extraRoots() const { return roots; }

  /// All files opened so far, by location: an output must be none of them, and
  /// may have to take them along.
  std::vector<std::pair<std::string, InputFileRef>> files() const;

  /// Some of these files are outside of the model's folder: another model there
  /// could not be read with them.
  bool hasFilesElsewhere() const;

private:
  llvm::Expected<InputFileRef> open(llvm::StringRef location,
                                    llvm::StringRef subject);

  std::string folder;
  std::string home;               ///< its real path
  std::string realHome;           ///< the folder of the model's real path
  std::vector<std::string> roots; ///< real paths of the extra roots
  mutable std::mutex mutex;
  llvm::StringMap<InputFileRef> opened;
  bool filesElsewhere = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_EXTERNALDATA_H
