//===- NpzFile.h - Archives of tensors that numpy saves ---------*- C++ -*-===//
//
// Reads a .npz file as numpy.savez writes it: a zip archive of .npy files, each
// called as its array.
//
//   Expected<NpzFile> file = NpzFile::open("inputs.npz");
//   for (StringRef name : file->names())
//     Expected<Elements> value = file->read(name);
//
// What is refused, with the file's name and what it has: what is no zip
// archive, entries that are compressed (numpy.savez_compressed) or encrypted,
// and places beyond the end of the file. Source: PKWARE's APPNOTE, 4.3 and 4.5
// (zip64).
//
// Ownership: the object holds the bytes of the file; values have their own
// bytes. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_NPZFILE_H
#define ONNXFOLD_ELEMENTS_NPY_NPZFILE_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

namespace onnxfold {

class NpzFile {
public:
  static llvm::Expected<NpzFile> open(llvm::StringRef path);

  /// Without `.npy`, sorted.
  std::vector<std::string> names() const;

  /// `expected`: as in readNpy. REQUIRES: one of names().
  llvm::Expected<Elements> read(llvm::StringRef name,
                                DataType expected = DataType::Undefined) const;

private:
  struct Entry {
    uint64_t header, size;
  };
  llvm::Error readDirectory();
  llvm::Error readEntry(llvm::StringRef &records);

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::map<std::string, Entry> entries;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_NPZFILE_H
