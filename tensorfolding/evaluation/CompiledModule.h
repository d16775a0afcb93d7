//===- CompiledModule.h - Code of a module, in this process -----*- C++ -*-===//
//
// A module of the LLVM dialect as machine code of this process, by MLIR's
// execution engine.
//
//   DialectRegistry registry;
//   registerCompilation(registry);                    // and the other dialects
//   ...
//   Expected<CompiledModule> compiled = CompiledModule::compile(module);
//   void *f = compiled->lookup("_mlir_ciface_main");
//   compiled->call("_mlir_ciface_main", {&x, &y});     // see below
//
// The code calls malloc, free and libm of the process. Thread safety: compiled
// functions are those of the module; lookups may be made from any thread.
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

/// What a context needs whose modules are compiled.
void registerCompilation(mlir::DialectRegistry &registry);

class CompiledModule {
public:
  /// Optimises as -O`level` does, for this machine. An error names the first
  /// operation that is not of the LLVM dialect.
  static llvm::Expected<CompiledModule> compile(mlir::ModuleOp module,
                                                unsigned level = 2);
  CompiledModule(CompiledModule &&) noexcept;
  ~CompiledModule();

  /// The address of a function or a constant; null if there is none.
  void *lookup(llvm::StringRef symbol) const;

  /// Calls a function without results whose arguments are all pointers, as a
  /// function of the C interface with out-parameters is. An error if there is
  /// none of that name.
  llvm::Error call(llvm::StringRef function,
                   llvm::MutableArrayRef<void *> arguments) const;

private:
  CompiledModule();
  std::unique_ptr<mlir::ExecutionEngine> engine;
};

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDMODULE_H
