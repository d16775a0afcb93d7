//===- NpyBytes.h - What readers of numpy's files share ---------*- C++ -*-===//
#ifndef ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
#define ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace onnxfold {

llvm::Error makeNpyError(const llvm::Twine &text);

/// What a file says, in a message: it may be hostile.
std::string printableOfFile(llvm::StringRef text);

/// A regular file, read into memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeFile(llvm::StringRef path);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
