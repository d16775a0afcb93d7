//===- CheckedMark.h - A file that was found undamaged ----------*- C++ -*-===//
//
// To find damage, a file of the cache is read as a whole and its hash compared.
// An undamaged file gets a mark, so that the next run need not read it again.
// The mark is a time of last modification whose nanoseconds are a hash. Any
// write to the file replaces that time.
//
// The hash is of the file (device and inode, so that a copy has no mark), of
// its content, and of the current boot of the machine. So damage by a crash to
// blocks that had not reached the disk is found at the first run after it. The
// time of the last change of the inode, which no program can set, must be that
// of the mark. So a write is noticed even if its author sets the old time
// again. A mark does not show that a disk returns other bytes than were written
// to it, without an error, while the machine runs.
//
// Where a system has no such times, or no name of the current boot, no file is
// ever marked, and all files are read.
//
// Thread safety: any thread. Errors: none; a failure to set a mark is ignored.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H

#include "onnxfold/elements/ops/ContentHash.h"
#include <sys/stat.h>

namespace onnxfold {

/// Marks a file that was read and is undamaged. `content` is a hash of its
/// bytes. The time of last modification becomes the current one, to a second.
void markAsChecked(int fd, ops::ContentHash content);

/// True if nobody has written to the file since it was marked with this hash.
/// REQUIRES: `status` was taken before anything was read from the file.
bool isMarkedAsChecked(const struct stat &status, ops::ContentHash content);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H
