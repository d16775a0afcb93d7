//===- NpyBytes.h - What readers of numpy's files share ---------*- C++ -*-===//
#ifndef ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
#define ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace onnxfold {

llvm::Error makeNpyError(const llvm::Twine &text);

/// What a file says, in a message: it may be hostile.
std::string printableOfFile(llvm::StringRef text);

/// A regular file, read into memory.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readWholeFile(llvm::StringRef path);

/// The array in the bytes of a .npy file, which messages call `name`.
llvm::Expected<Elements> readNpyBytes(llvm::StringRef bytes,
                                      llvm::StringRef name, DataType expected);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
