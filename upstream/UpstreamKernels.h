//===- UpstreamKernels.h - Kernels for MLIR's own dialects ------*- C++ -*-===//
//
// Folding of constants of any size for arith, math, tensor, linalg, tosa and
// ml_program, by the engine of constprop/:
//
//   mlir::DialectRegistry registry;
//   registerUpstreamKernels(registry);    // before the dialects are loaded
//   ...
//   pm.addPass(createConstantPropagationPass());
//
// scf and func need nothing: the engine asks MLIR's own interfaces. What MLIR's
// documentation leaves undefined, or calls poison, is kept, with the reason, and
// so is whatever has effects. Operations without a kernel fold as their
// Operation::fold does.
//
// The list of kernels is made from file names by CMake: <dialect>/<Op>.cpp
// defines `void onnxfold::upstream::register<Dialect><Op>(KernelRegistry &)`.
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

/// The dialects get their kernels when they are loaded. Loads none.
void registerUpstreamKernels(mlir::DialectRegistry &registry);

/// Adds all kernels of a dialect ("arith") to its registry.
void addUpstreamKernels(llvm::StringRef dialect, KernelRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_UPSTREAMKERNELS_H
