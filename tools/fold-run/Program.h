//===- Program.h - From text to code that fold-run calls --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses a module, folds its constant tensors, evaluates those that are known,
// lowers and compiles it. For errors of the module, diagnostics are printed on
// stderr, and a short llvm::Error is returned.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_FOLD_RUN_PROGRAM_H
#define ONNXFOLD_TOOLS_FOLD_RUN_PROGRAM_H

#include "Tensors.h"
#include "onnxfold/tensorfolding/ConstantTensors.h"
#include "onnxfold/tensorfolding/evaluation/CompiledModule.h"
#include "onnxfold/tensorfolding/evaluation/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace onnxfold {

struct ProgramOptions {
  std::string entry;    ///< empty: the only function with constant tensors
  std::string pipeline; ///< the passes that fold; empty: by `mode`
  std::string mode = "runtime";
  unsigned level = 2;    ///< of LLVM's optimiser
  NumberedFiles weights; ///< of arguments, for the compile-time tier
};

class Program {
public:
  Program();

  /// Parses the file and folds. The result has functions on tensors.
  llvm::Error fold(llvm::StringRef file, const ProgramOptions &options);
  /// Lowers to the LLVM dialect. REQUIRES: fold().
  llvm::Error lower();
  /// Lowers and compiles. REQUIRES: fold().
  llvm::Error compile(unsigned level);

  mlir::ModuleOp module() { return *parsed; }
  llvm::StringRef entryName() const { return name; }
  const ConstantTensors &constantTensors() const { return tensors; }
  const CompileTimeResult &compileTime() const { return evaluated; }
  /// REQUIRES: compile().
  void *lookup(llvm::StringRef symbol) const {
    return compiled->lookup(symbol);
  }

private:
  llvm::Error runPasses(llvm::StringRef pipeline);
  llvm::Error evaluate(const NumberedFiles &weights);
  llvm::Error findEntry(llvm::StringRef wanted);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  std::string name;
  ConstantTensors tensors;
  CompileTimeResult evaluated;
  std::optional<CompiledModule> compiled;
};

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_FOLD_RUN_PROGRAM_H
