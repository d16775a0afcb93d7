//===- CheckedMark.h - A file that was read whole and found right -*- C++ -*-===//
//
// To find damage, a file of the cache is read as a whole and its hash compared.
// A file that was found right gets a mark, so that the next run need not read
// it again. The mark is a time of last modification whose nanoseconds are a
// hash: whoever writes to the file replaces that time.
//
// The hash is of the file (device and inode, so that a copy has no mark), of
// its content, and of the current boot of the machine: what a crash did to
// blocks that had not reached the disk is found at the first run after it. The
// time of the last change of the inode, which nobody can set, must be that of
// the mark, so that a write whose author sets the old time again is seen, too.
// A mark does not tell that a disk returns other bytes than were written to it,
// without an error, while the machine runs.
//
// Where a system has no such times or no name of the current boot no file is
// ever marked, and all are read.
//
// Thread safety: any thread. Errors: none; a mark that cannot be set is not.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H

#include "onnxfold/elements/ops/ContentHash.h"
#include <sys/stat.h>

namespace onnxfold {

/// Says that the file was read and is right. `content` is a hash of its bytes.
/// The time of last modification becomes the current one, to a second.
void markAsChecked(int fd, ops::ContentHash content);

/// Nobody has written to the file since it was marked with this hash.
/// REQUIRES: `status` is that of the file before anything was read from it.
bool isMarkedAsChecked(const struct stat &status, ops::ContentHash content);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_CHECKEDMARK_H
