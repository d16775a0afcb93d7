//===- Passes.h - Constant tensors at compile time --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// evaluate-constant-tensors (Passes.td declares and docs/passes.md describes
// it), and the same as a function, for values that are not in a file:
//
//   registry: registerConstantTensorDialects, registerCompilation
//   evaluateConstantTensors(module, {.valueOf = [&](auto entry, int64_t n) {
//     return weights[n];                              // Elements; may be null
//   }});
//
// Errors are diagnostics that name the function and the argument. Compiled code
// of the module runs in this process. Thread safety: as a pass on the module.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_EVALUATION_PASSES_H
#define ONNXFOLD_TENSORFOLDING_EVALUATION_PASSES_H

#include "onnxfold/elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include <functional>

namespace onnxfold {

struct CompileTimeOptions {
  /// The value of an argument of the original entry, null if it is not known.
  std::function<Elements(mlir::func::FuncOp entry, int64_t argument)> valueOf;
  /// Whether results that constant propagation cannot fold are compiled and
  /// run.
  bool compile = true;
};

/// The numbers of results of fold functions, by the way in which they were
/// computed.
struct CompileTimeResult {
  unsigned propagated = 0; ///< by constant propagation
  unsigned compiled = 0;   ///< by code
  unsigned left = 0; ///< not computed: the first call of the program does it
};

/// evaluate-constant-tensors.
llvm::FailureOr<CompileTimeResult>
evaluateConstantTensors(mlir::ModuleOp module,
                        const CompileTimeOptions &options);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/tensorfolding/evaluation/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_PASSES_H
