//===- NumpyArchive.h - Archives of arrays ---------------------------*- C++ -*-===//
//
// What numpy.savez and numpy.savez_compressed write: a ZIP file with NAME.npy for
// each array, stored or deflated. Refused, with the file's name: other methods,
// archives of several files, and those of 4 GB and more. (elements/npy/NpzFile.h
// reads stored arrays only: the static programs that use it hold no zlib.)
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNX_RUN_NUMPYARCHIVE_H
#define ONNXFOLD_TOOLS_ONNX_RUN_NUMPYARCHIVE_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace onnxfold {

class NumpyArchive {
public:
  static llvm::Expected<NumpyArchive> open(llvm::StringRef path);

  /// Names of arrays, without `.npy`, in the order of the file.
  std::vector<llvm::StringRef> names() const;
  bool has(llvm::StringRef name) const { return find(name); }

  /// `expected` as for readNpy.
  llvm::Expected<Elements> read(llvm::StringRef name,
                                DataType expected = DataType::Undefined) const;

private:
  /// A row of the directory at the end of the file.
  struct Entry {
    llvm::StringRef name;
    unsigned method;
    uint32_t checksum, packedBytes, bytes, place;
  };

  llvm::Error readDirectory();
  const Entry *find(llvm::StringRef name) const;
  llvm::Expected<llvm::StringRef> packed(const Entry &entry) const;
  llvm::Error error(const llvm::Twine &text) const;

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::vector<Entry> entries;
};

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_RUN_NUMPYARCHIVE_H
