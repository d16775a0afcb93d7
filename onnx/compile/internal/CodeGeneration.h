//===- CodeGeneration.h - From LLVM's IR to an object -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_COMPILE_INTERNAL_CODEGENERATION_H
#define ONNXFOLD_ONNX_COMPILE_INTERNAL_CODEGENERATION_H

#include "onnxfold/onnx/compile/CompileModel.h"
#include "llvm/IR/Module.h"

namespace onnxfold {

/// Optimises a module for this machine, and appends its object, or its text, to
/// `code`. `step` is called with the name of each step.
llvm::Error generateCode(llvm::Module &module, const CompileOptions &options,
                         llvm::function_ref<void(llvm::StringRef)> step,
                         llvm::SmallVectorImpl<char> &code);

/// The same of a program that passes the text of a model to onnxfoldModelCall
/// (onnx/programs/ModelEntry.h). Nothing is optimised.
llvm::Error generateCallOfKernels(llvm::StringRef model,
                                  llvm::StringRef signature, CodeForm form,
                                  llvm::SmallVectorImpl<char> &code);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_INTERNAL_CODEGENERATION_H
