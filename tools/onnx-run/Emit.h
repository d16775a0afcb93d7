//===- Emit.h - A compiled model as a file ----------------------*- C++ -*-===//
#ifndef ONNXFOLD_TOOLS_ONNX_RUN_EMIT_H
#define ONNXFOLD_TOOLS_ONNX_RUN_EMIT_H

#include "CompileModel.h"

namespace onnxfold {

/// Compiles a model and writes it as `form`: object, shared-library (linked by
/// the system's cc), llvm or mlir. The file - is standard output. The file
/// appears whole or not at all.
llvm::Error emit(llvm::StringRef model, llvm::StringRef form,
                 llvm::StringRef file, CompileOptions options);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_RUN_EMIT_H
