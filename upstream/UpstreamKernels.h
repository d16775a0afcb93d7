//===- UpstreamKernels.h - Kernels for MLIR's own dialects ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Folds constants of any size for arith, math, tensor, linalg, tosa and
// ml_program, by the engine of constprop/:
//
//   mlir::DialectRegistry registry;
//   registerUpstreamKernels(registry);    // before the dialects are loaded
//   ...
//   pm.addPass(createConstantPropagationPass());
//
// scf and func need no kernels, because the engine queries MLIR's own
// interfaces. Operations whose result MLIR's documentation leaves undefined, or
// calls poison, are kept with the reason, and so are operations with effects.
// Operations without a kernel fold by Operation::fold.
//
// CMake makes the list of kernels from file names: <dialect>/<Op>.cpp defines
// `void onnxfold::upstream::register<Dialect><Op>(KernelRegistry &)`.
//
// Errors: none. Thread safety: as DialectRegistry; kernels may be called from
// several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_UPSTREAMKERNELS_H
#define ONNXFOLD_UPSTREAM_UPSTREAMKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace onnxfold {

/// Gives the dialects their kernels when they are loaded. Loads no dialect.
void registerUpstreamKernels(mlir::DialectRegistry &registry);

/// Adds all kernels of a dialect ("arith") to its registry.
void addUpstreamKernels(llvm::StringRef dialect, KernelRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_UPSTREAMKERNELS_H
