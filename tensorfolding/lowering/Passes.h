//===- Passes.h - From folded modules to compiled code ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lowers modules from constant-tensor-folding to executable code: the passes
// that MLIR lacks for it, and the pipeline of all passes down to the LLVM
// dialect, `--constant-tensor-folding-pipeline` in fold-opt.
//
//   pm.addPass(createConstantTensorFoldingPass());     // tensorfolding/Passes.h
//   addLowerConstantTensorsToLLVM(pm);
//
// The convention of compiled functions, entry and fold functions alike:
//   arguments  memrefs of identity layout; the function never writes to them.
//   results    all of static shape: further arguments after those, buffers that
//              the function fills. Otherwise descriptors that it returns, whose
//              memory is malloc's and the caller's.
// A function f is _mlir_ciface_f too: [a pointer to the struct of returned
// descriptors, if there are results], a pointer to the descriptor of each
// argument, each out-parameter.
// Elements narrower than a byte take a byte each; unused bits are zero.
//
// Errors are diagnostics at the operation. Thread safety: as passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_LOWERING_PASSES_H
#define ONNXFOLD_TENSORFOLDING_LOWERING_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace onnxfold {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "onnxfold/tensorfolding/lowering/Passes.h.inc"

/// Adds the pipeline `lower-constant-tensors-to-llvm`, which lowers all
/// functions of a module from tensors to the LLVM dialect.
void addLowerConstantTensorsToLLVM(mlir::OpPassManager &pm);

/// Registers the passes and pipelines of this folder by name.
void registerConstantTensorLowering();

/// Registers the dialects that the pipeline reads or creates, with their models
/// for bufferization.
void registerConstantTensorDialects(mlir::DialectRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_LOWERING_PASSES_H
