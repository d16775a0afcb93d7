//===- MemoryFile.h - A file that is only in memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TESTS_FUZZ_MEMORYFILE_H
#define ONNXFOLD_TESTS_FUZZ_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace onnxfold {

/// Bytes that have a path, for what reads files.
class MemoryFile {
public:
  explicit MemoryFile(llvm::StringRef bytes)
      : fd(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (::write(fd, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
      std::abort();
  }
  MemoryFile(const MemoryFile &) = delete;
  ~MemoryFile() { ::close(fd); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_FUZZ_MEMORYFILE_H
