//===- Emit.h - A compiled model as a file ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes a program as an object, as text, or as a shared library, which the
// system's cc links with libonnxfold_programs.so.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_EMIT_H
#define ONNXFOLD_ONNX_COMPILE_EMIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// Writes code (CompileModel.h) as it is. The file - is standard output. The
/// file appears whole or not at all.
llvm::Error writeCode(llvm::ArrayRef<char> code, llvm::StringRef file);

/// Links an object.
llvm::Error writeSharedLibrary(llvm::ArrayRef<char> object,
                               llvm::StringRef file);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_EMIT_H
