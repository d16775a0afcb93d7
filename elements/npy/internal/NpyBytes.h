//===- NpyBytes.h - Shared parts of the readers of numpy files --*- C++ -*-===//
#ifndef ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
#define ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace onnxfold {

llvm::Error makeNpyError(const llvm::Twine &text);

/// Text of a file, made printable for a message: the file may be hostile.
std::string printableOfFile(llvm::StringRef text);

/// Reads a regular file into memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeFile(llvm::StringRef path);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
