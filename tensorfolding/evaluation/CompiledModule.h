//===- CompiledModule.h - Code of a module, in this process -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiles a module of the LLVM dialect to machine code of this process, by
// MLIR's execution engine.
//
//   DialectRegistry registry;
//   registerCompilation(registry);                    // and the other dialects
//   ...
//   Expected<CompiledModule> compiled = CompiledModule::compile(module);
//   void *f = compiled->lookup("_mlir_ciface_main");
//   compiled->call("_mlir_ciface_main", {&x, &y});     // see below
//
// The code calls malloc, free and libm of the process. Thread safety: any
// thread may look up symbols; compiled functions are as thread safe as those of
// the module.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDMODULE_H
#define ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace onnxfold {

/// Registers what the context of a compiled module needs.
void registerCompilation(mlir::DialectRegistry &registry);

class CompiledModule {
public:
  /// Compiles a module for this machine, optimised as by -O`level`. The error
  /// names the first operation that is not of the LLVM dialect.
  static llvm::Expected<CompiledModule> compile(mlir::ModuleOp module,
                                                unsigned level = 2);
  CompiledModule(CompiledModule &&) noexcept;
  ~CompiledModule();

  /// The address of a function or a constant; null if there is none.
  void *lookup(llvm::StringRef symbol) const;

  /// Calls a function without results whose arguments are all pointers, as a
  /// function of the C interface with out-parameters is. An error if there is
  /// no function of that name.
  llvm::Error call(llvm::StringRef function,
                   llvm::MutableArrayRef<void *> arguments) const;

private:
  CompiledModule();
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDMODULE_H
