//===- Passes.h - Constant tensor folding -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// print-constant-tensors and constant-tensor-folding. Passes.td declares and
// docs/passes.md describes them.
//
// They run on linalg on tensors, after layouts are decided and before tiling.
// Errors are diagnostics that name the function and the argument; a module for
// which constant-tensor-folding reports one must not be used any more.
// Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_PASSES_H
#define ONNXFOLD_TENSORFOLDING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

namespace onnxfold {

/// Which constants constant-tensor-folding moves, and to where.
enum class TensorFoldingMode {
  Runtime,     // all constants, to the first run
  CompileTime, // operations on compile-time constants only
  Both,        // the latter to compile time, the rest to the first run
};

/// The values of the option `mode`.
inline llvm::cl::ValuesClass tensorFoldingModeValues() {
  return llvm::cl::values(
      clEnumValN(TensorFoldingMode::Runtime, "runtime",
                 "all constants, in the first run"),
      clEnumValN(TensorFoldingMode::CompileTime, "compiletime",
                 "operations on compile-time constants alone, at compile time"),
      clEnumValN(TensorFoldingMode::Both, "both",
                 "these at compile time, the others in the first run"));
}

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/tensorfolding/Passes.h.inc"

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_PASSES_H
