//===- WholeFile.cpp - A file in memory -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/npy/WholeFile.h"
#include "onnxfold/elements/npy/internal/NpyBytes.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
onnxfold::readWholeFile(StringRef path) {
  llvm::sys::fs::file_status status;
  std::error_code error = llvm::sys::fs::status(path, status);
  if (!error && !llvm::sys::fs::is_regular_file(status))
    return makeNpyError(path + ": is not a regular file");
  if (!error) {
    // Volatile: read and not mapped, so that nobody can cut it under us.
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true,
                                            /*IsVolatile=*/true);
    // The buffer of a file that was cut while it was read ends in zeros.
    uint64_t size = 0;
    error = file ? llvm::sys::fs::file_size(path, size) : file.getError();
    if (!error && size != (*file)->getBufferSize())
      return makeNpyError(path + ": changed while it was read");
    if (!error)
      return std::move(*file);
  }
  return makeNpyError(
      path + ": cannot be read: " + StringRef(error.message()).lower());
}
