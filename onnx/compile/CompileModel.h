//===- CompileModel.h - From a model to machine code ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a model, folds it, converts it to programs (onnx/tosequence), frees and
// reuses buffers (dealloc), and generates code for this machine.
//
// MLIR and LLVM run in a child process. Where our passes for buffers fail or
// crash, MLIR's free them. Where these fail too, the program evaluates the model
// by the kernels of its operators (onnx/programs/ModelEntry.h). Warnings say so.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_COMPILEMODEL_H
#define ONNXFOLD_ONNX_COMPILE_COMPILEMODEL_H

#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/programs/Signature.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace onnxfold {

enum class CodeForm { Object, LLVM, Mlir };

struct CompileOptions {
  unsigned level = 2;      ///< of LLVM's optimiser
  bool fold = true;        ///< constants of the model are folded first
  bool bufferReuse = true; ///< buffers that are free are used again
  bool ownPasses = true;   ///< our passes free buffers, else MLIR's
  FixedInputs fixed;
  CodeForm form = CodeForm::Object;
  unsigned threads = 0; ///< 0: as many as the machine has

  /// The options that influence the code, for the name of a cached object.
  std::string text() const;
};

struct CompiledModel {
  llvm::SmallVector<char, 0> code; ///< an object, or text
  Signature signature;
  std::vector<std::string> warnings;
  std::vector<std::string> dataFiles; ///< paths, of external data
  bool isCompiled = true; ///< false: the kernels are called one after the other
};

/// Errors name what cannot be compiled. Of the callbacks, warn, endedStep and
/// isCancelled are used (FoldModel.h); a pass of MLIR is not interrupted.
llvm::Expected<CompiledModel> compileModel(llvm::StringRef file,
                                           const CompileOptions &options,
                                           const FoldCallbacks &callbacks = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_COMPILEMODEL_H
