//===- ZipFile.h - Entries of zip archives ----------------------*- C++ -*-===//
//
// Reads entries that are stored or deflated, by their names: archives of numpy,
// and the jars of Java.
//
//   Expected<ZipFile> file = ZipFile::open("SystemDS.jar");
//   auto text = file->read("scripts/nn/util.dml", "SystemDS.jar: nn/util.dml");
//
// What is refused, with the file's name and what it has: what is no zip
// archive, entries that are packed in another way or encrypted, places beyond
// the end of the file, and bytes of another checksum. Source: PKWARE's APPNOTE,
// 4.3 and 4.5 (zip64).
//
// Ownership: the object holds the bytes of the file, and stored members are
// read from there: the object must outlive its readers.
// Thread safety: none.
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

  /// Sorted.
  std::vector<std::string> names() const;
  bool has(llvm::StringRef name) const { return entries.count(name.str()); }

  /// The bytes of an entry. `shown`: what errors call it. An error if it is none
  /// of names().
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
