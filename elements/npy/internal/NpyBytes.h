//===- NpyBytes.h - Shared parts of the readers of numpy files --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
#define ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/npy/WholeFile.h"

namespace onnxfold {

llvm::Error makeNpyError(const llvm::Twine &text);

/// Text of a file, made printable for a message: the file may be hostile.
std::string printableOfFile(llvm::StringRef text);

/// A .npy file in memory; `name` is for messages.
llvm::Expected<std::string> npyBytes(llvm::StringRef name,
                                     const Elements &elements);

llvm::Error writeBytes(llvm::StringRef path, llvm::StringRef bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_INTERNAL_NPYBYTES_H
