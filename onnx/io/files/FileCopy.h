//===- FileCopy.h - Copying ranges of files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies a range of an input file to an offset of a new file, whatever its
// size, in bounded memory: by copy_file_range where a file system can share
// blocks or a server can copy, otherwise through buffers of 256 KiB, by up to
// three threads where the caller has a ParallelScope. Holes are kept as holes.
//
// Thread safety: several copies may run at once, as long as their target ranges
// do not overlap. Errors: a source that ends early (it changed), a full disk,
// any failing read or write. After an error the contents of the target range
// are unspecified.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_FILECOPY_H
#define ONNXFOLD_ONNX_IO_FILES_FILECOPY_H

#include "onnxfold/onnx/io/files/InputFile.h"

namespace onnxfold {

/// Copies `range` of `input` to `offset` of the file `output`; `outputName` is
/// for messages. REQUIRES: range.end <= input.size(), and the target range is a
/// hole or beyond the end of the file (holes are not written).
llvm::Error copyRange(const InputFile &input, ByteRange range, int output,
                      uint64_t offset, llvm::StringRef outputName);

/// The first piece of `range` that is not a hole; empty, at the end of the
/// range, if there is none. On file systems that do not report holes all of it
/// is data.
ByteRange nextData(const InputFile &input, ByteRange range);

/// True if both ranges have the same bytes. What is a hole in both is not read.
llvm::Expected<bool> sameContent(const InputFile &a, ByteRange inA,
                                 const InputFile &b, ByteRange inB);

/// Writes all bytes at an offset, and continues after short writes and
/// interruptions.
llvm::Error writeFully(int output, uint64_t offset, llvm::StringRef bytes,
                       llvm::StringRef outputName);

/// The same at the current position, for pipes.
llvm::Error streamFully(int output, llvm::StringRef bytes,
                        llvm::StringRef outputName);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_FILECOPY_H
