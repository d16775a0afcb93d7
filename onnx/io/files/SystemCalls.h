//===- SystemCalls.h - Every call that moves bytes or names of files ------===//
// SPDX-License-Identifier: Apache-2.0
//
// One table of function pointers through which this folder reads, writes,
// copies, syncs and renames. Tests replace an entry to inject short reads, full
// disks or a kernel without copy_file_range; nothing else ever writes to it.
//
// Thread safety: the table may be read by any thread; entries are replaced only
// while no other thread is inside the library.
//
// Example (a test):
//   ScopedSystemCall noKernelCopy(systemCalls().copyFileRange,
//       +[](int, off_t *, int, off_t *, size_t, unsigned) -> ssize_t {
//         errno = EXDEV;
//         return -1;
//       });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_SYSTEMCALLS_H
#define ONNXFOLD_ONNX_IO_FILES_SYSTEMCALLS_H

#include <cstddef>
#include <sys/types.h>
#include <sys/vfs.h>

namespace onnxfold {

struct SystemCalls {
  ssize_t (*pread)(int fd, void *bytes, size_t size, off_t offset);
  ssize_t (*pwrite)(int fd, const void *bytes, size_t size, off_t offset);
  ssize_t (*write)(int fd, const void *bytes, size_t size);
  ssize_t (*copyFileRange)(int in, off_t *inOffset, int out, off_t *outOffset,
                           size_t size, unsigned flags);
  /// Reports the kind of file system that a file is on.
  int (*fstatfs)(int fd, struct statfs *status);
  int (*truncate)(int fd, off_t size);
  /// Allocates space on the disk for a range of a file (fallocate).
  int (*allocate)(int fd, int mode, off_t offset, off_t size);
  /// Creates a file of that name; fails with EEXIST if the name is taken.
  int (*createNamed)(const char *path, mode_t mode);
  /// Creates an unnamed file in `folder` (O_TMPFILE) that can be linked later.
  int (*openUnnamed)(const char *folder, mode_t mode);
  /// Gives the unnamed file `fd` a name; fails with EEXIST if the name is
  /// taken.
  int (*linkUnnamed)(int fd, const char *path);
  int (*rename)(const char *from, const char *to);
  int (*unlink)(const char *path);
  int (*fsync)(int fd);
};

/// The table that the whole process uses.
SystemCalls &systemCalls();

/// Replaces one entry of the table while it lives.
template <typename Function> class ScopedSystemCall {
public:
  ScopedSystemCall(Function &entry, Function replacement)
      : entry(entry), saved(entry) {
    entry = replacement;
  }
  ~ScopedSystemCall() { entry = saved; }
  ScopedSystemCall(const ScopedSystemCall &) = delete;
  ScopedSystemCall &operator=(const ScopedSystemCall &) = delete;

private:
  Function &entry;
  Function saved;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_SYSTEMCALLS_H
