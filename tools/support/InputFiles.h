//===- InputFiles.h - An output must be no input ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For programs that do not write through OutputSet, which asks itself.
//
//   if (isOneOfFiles("m.onnx", {model, weights}))
//     return makeRunError("m.onnx: " + inputIsNeverWritten);
//
// Thread safety: functions of the file system.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_INPUTFILES_H
#define ONNXFOLD_TOOLS_SUPPORT_INPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <string>

namespace onnxfold {

inline const std::string inputIsNeverWritten =
    "is one of the input files, which are never written, expected another "
    "output";

/// Whether a path leads to one of the files, also by a link. False for files
/// that are not there, and for what is no regular file.
inline bool isOneOfFiles(llvm::StringRef path,
                         llvm::ArrayRef<std::string> files) {
  return llvm::sys::fs::is_regular_file(path) &&
         llvm::any_of(files, [&](const std::string &file) {
           return llvm::sys::fs::equivalent(path, file);
         });
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_INPUTFILES_H
