//===- RemoveOnSignal.h - What a signal removes that ends a run -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Files and folders that are removed on SIGINT, SIGTERM and SIGHUP before the
// process ends as it would have ended. LLVM's handlers, which remove files
// only, are called next. They let further signals through while they work, and
// a second one (of a terminal, and of the process that waits) would end the
// process with the files left; here the first signal is served to its end.
//
// Thread safety: all may be called from any thread, and a signal may come at
// any time. Ignored signals are still ignored.
//
// Example:
//   removeFileOnSignal(temporary);
//   ... // write it, and give it another name
//   keepFileOnSignal(temporary);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_INTERNAL_REMOVEONSIGNAL_H
#define ONNXFOLD_ONNX_IO_FILES_INTERNAL_REMOVEONSIGNAL_H

#include "llvm/ADT/StringRef.h"
#include <atomic>

namespace onnxfold {

void removeFileOnSignal(llvm::StringRef file);
void keepFileOnSignal(llvm::StringRef file);

/// The name of a folder that a signal has to remove, or null.
using FolderSlot = std::atomic<char *>;

/// Folders are removed in the reverse order of the calls, if they are empty.
/// Null if no slot is free: a signal keeps the folder then.
FolderSlot *removeFolderOnSignal(llvm::StringRef folder);
void keepFolderOnSignal(FolderSlot *slot);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_INTERNAL_REMOVEONSIGNAL_H
