//===- WholeFile.h - A file in memory ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a file of a user at once: scripts, matrices, archives of arrays. It is
// never mapped: where another process truncates a file, access to a mapping of
// it raises SIGBUS. (Models and their data are read in ranges:
// onnx/io/files/InputFile.h.)
//
// Thread safety: the function may be called from any thread. Errors: a file
// that is missing, unreadable or not regular (/dev/zero has no end, and who
// reads from a pipe waits), or that changes its size meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_WHOLEFILE_H
#define ONNXFOLD_ELEMENTS_NPY_WHOLEFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace onnxfold {

/// The bytes, with a 0 behind them. The text of an error names the file.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeFile(llvm::StringRef path);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_WHOLEFILE_H
