//===- ZipFile.h - Entries of zip archives ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads entries of zip archives by their names, if they are stored or deflated:
// the archives of numpy, and the jars of Java.
//
//   Expected<ZipFile> file = ZipFile::open("SystemDS.jar");
//   auto text = file->read("scripts/nn/util.dml", "SystemDS.jar: nn/util.dml");
//
// The reader refuses a file that is no zip archive, entries that are compressed
// in another way or encrypted, offsets beyond the end of the file, and bytes of
// another checksum. Errors name the file and what it has. Source: PKWARE's
// APPNOTE, 4.3 and 4.5 (zip64).
//
// Ownership: the object holds the bytes of the file. A buffer of a stored entry
// refers to them, so the object must outlive it.
// Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_ZIPFILE_H
#define ONNXFOLD_ELEMENTS_NPY_ZIPFILE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>

namespace onnxfold {

class ZipFile {
public:
  static llvm::Expected<ZipFile> open(llvm::StringRef path);

  /// The names of the entries, sorted.
  std::vector<std::string> names() const;
  bool has(llvm::StringRef name) const { return entries.count(name.str()); }

  /// The bytes of an entry, which errors call `shown`. An error if `name` is
  /// not in names().
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef name, const llvm::Twine &shown) const;

private:
  struct Entry {
    uint64_t header, packedSize, size;
    uint32_t checksum;
    bool isDeflated;
  };
  llvm::Error readDirectory();
  llvm::Error readEntry(llvm::StringRef &records);
  llvm::Expected<llvm::StringRef> packed(const Entry &entry,
                                         const std::string &shown) const;

  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::map<std::string, Entry> entries;
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_ZIPFILE_H
