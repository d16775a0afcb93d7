//===- StablehloKernels.h - Kernels for StableHLO and CHLO ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Folds constants of programs in StableHLO, as JAX and torch-mlir write them,
// by the engine of constprop/:
//
//   mlir::DialectRegistry registry;
//   registerStablehlo(registry);          // dialects and kernels
//   ...
//   pm.addPass(createConstantPropagationPass());
//
// A program that links StableHLO itself has other dialects of these names, and
// cannot use these. docs/stablehlo.md says what folds.
//
// Errors: none. Thread safety: as DialectRegistry; kernels may be called from
// several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_STABLEHLOKERNELS_H
#define ONNXFOLD_STABLEHLO_STABLEHLOKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace onnxfold {

/// Registers the dialects stablehlo and chlo with their kernels.
void registerStablehlo(mlir::DialectRegistry &registry);

/// Adds all kernels of a dialect ("stablehlo") to its registry.
void addStablehloKernels(llvm::StringRef dialect, KernelRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_STABLEHLO_STABLEHLOKERNELS_H
