//===- Optimizer.h - LLVM's optimiser for what is lowered -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What all programs that compile use in place of MLIR's optimising transformer,
// whose pipeline makes wrong code (docs/upstream-bugs.md).
//
//   optimize(*llvmModule, /*level=*/2, machine.get());
//
// Errors: none. Thread safety: for different modules of different contexts.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OPTIMIZER_OPTIMIZER_H
#define ONNXFOLD_DEALLOC_OPTIMIZER_OPTIMIZER_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace onnxfold {

/// Changes the module in place by LLVM's default pipeline of that level.
/// REQUIRES: level <= 3. The machine tells how wide vectors are; it may be
/// null.
void optimize(llvm::Module &module, unsigned level,
              llvm::TargetMachine *machine);

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_OPTIMIZER_OPTIMIZER_H
