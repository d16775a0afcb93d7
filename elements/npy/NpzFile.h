//===- NpzFile.h - Archives of tensors that numpy saves ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a .npz file as numpy.savez and numpy.savez_compressed write it: a zip
// archive of .npy files, stored or deflated, each named after its array.
//
//   Expected<NpzFile> file = NpzFile::open("inputs.npz");
//   for (StringRef name : file->names())
//     Expected<Elements> value = file->read(name);
//
// The reader refuses what ZipFile refuses, and entries that are no arrays.
// Errors name the file and what it has.
//
// Ownership: the object holds the bytes of the file; values have their own
// bytes. Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_NPZFILE_H
#define ONNXFOLD_ELEMENTS_NPY_NPZFILE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/npy/ZipFile.h"
#include "llvm/Support/Error.h"
#include <string>

namespace onnxfold {

class NpzFile {
public:
  static llvm::Expected<NpzFile> open(llvm::StringRef path);

  /// The names of the arrays, without `.npy`, sorted.
  std::vector<std::string> names() const;
  bool has(llvm::StringRef name) const { return zip.has(name.str() + ".npy"); }

  /// The array of that name; `expected` is that of readNpy. An error if `name`
  /// is not in names().
  llvm::Expected<Elements> read(llvm::StringRef name,
                                DataType expected = DataType::Undefined) const;

private:
  NpzFile(ZipFile zip, llvm::StringRef path)
      : zip(std::move(zip)), path(path.str()) {}

  ZipFile zip;
  std::string path;
};

/// Writes what numpy.savez writes of these arrays, one copy of which is in
/// memory. An error if they take 4 GB or more together.
llvm::Error writeNpz(llvm::StringRef path,
                     llvm::ArrayRef<std::pair<std::string, Elements>> arrays);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_NPZFILE_H
