//===- SystemCalls.cpp - Every call that moves bytes or names of files ----===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "onnxfold/onnx/io/files/InputFile.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace onnxfold {

/// A model may have thousands of data files, and all of them are open until
/// they get their names.
static int openFile(const char *path, int flags, mode_t mode) {
  int fd = ::open(path, flags | O_RDWR | O_CLOEXEC, mode);
  if (fd < 0 && errno == EMFILE && raiseOpenFileLimit())
    fd = ::open(path, flags | O_RDWR | O_CLOEXEC, mode);
  return fd;
}

static int openUnnamed(const char *folder, mode_t mode) {
  return openFile(folder, O_TMPFILE, mode);
}

static int createNamed(const char *path, mode_t mode) {
  return openFile(path, O_CREAT | O_EXCL, mode);
}

static int linkUnnamed(int fd, const char *path) {
  // linkat with AT_EMPTY_PATH would need CAP_DAC_READ_SEARCH.
  std::string self = "/proc/self/fd/" + std::to_string(fd);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

SystemCalls &systemCalls() {
  static SystemCalls table = {
      ::pread,     ::pwrite,    ::write,     ::copy_file_range, ::fstatfs,
      ::ftruncate, ::fallocate, createNamed, openUnnamed,       linkUnnamed,
      ::rename,    ::unlink,    ::fsync};
  return table;
}

} // namespace onnxfold
