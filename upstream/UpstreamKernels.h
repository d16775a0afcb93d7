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
// To add a dialect foo (ml_program is the smallest model, and stablehlo/ one for
// a dialect whose library is not linked):
//   1. upstream/foo/<Family>.cpp for each family of operations. Its last function
//      names them: `void onnxfold::upstream::registerFoo<Family>(KernelRegistry
//      &registry) { registry.add("load", {1}, foldLoad); }`. CMake makes the
//      list of files; foo_bar gives registerFooBar<Family>.
//   2. upstream/CMakeLists.txt: foo in FOLDERS, MLIRFooDialect in DEPS.
//   3. extend<FooDialect> in UpstreamKernels.cpp. UpstreamFolding.cpp only where
//      the dialect differs: materialize (arith.constant; tosa.const for tosa),
//      mustBeKept (types that no kernel sees), hasConstants (results that stay).
//   4. The dialect in the programs that load it: tools/fold-opt/fold-opt.cpp and
//      upstream/plugin/MlirC.cpp; and in the tests that ask dialects for all their
//      operations: tests/upstream/OperationsTest.cpp, where an operation without
//      a kernel has its reason, and TotalityTest.cpp.
//   5. A test in tests/upstream that compares with MLIR's own execution
//      (tests/lib/onnxfold_upstream.py), with addKept for each reason;
//      kept.mlir and unsupported-types.mlir have what no kernel folds.
// A kernel returns notFolded(reason) for what is undefined or poison. One for
// operands without a value is registered with `ignoresValue`. RATIONALE.md says
// which choices hold for all dialects.
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
