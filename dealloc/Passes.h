//===- Passes.h - Buffer deallocation and reuse -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pipelines turn bufferised IR without deallocations into IR that frees
// each allocation exactly once, early, and with few allocations:
//
//   pm.addNestedPass<func::FuncOp>(createSplitAllocTensorsPass());
//   pm.addPass(bufferization::createOneShotBufferizePass(...));
//   addBufferDeallocationAndReuse(pm);
//   addLowerDeallocationToLLVM(pm);
//
// The passes are declared in ownership/, reuse/ and lowering/, each in a
// Passes.td; docs/passes.md describes them and docs/deallocation.md the
// programs that they accept.
//
// Errors are diagnostics at the operation, and name it; a module for which
// `deallocate` reports one is unchanged.
// Thread safety: as passes. `deallocate` and the conversion to LLVM change
// functions and declarations, and `buffer-reuse` needs the memory of callees,
// so these are passes on the module; the others run on functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_PASSES_H
#define ONNXFOLD_DEALLOC_PASSES_H

#include "onnxfold/dealloc/lowering/Passes.h"
#include "onnxfold/dealloc/ownership/Passes.h"
#include "onnxfold/dealloc/reuse/Passes.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace onnxfold {

struct BufferDeallocationOptions {
  DeallocatePassOptions deallocate;
  BufferReusePassOptions reuse;
  bool bufferReuse = true; // false: deallocation alone
};

/// `buffer-deallocation-and-reuse{public-results= reuse= stack-bytes=}`:
/// deallocate, simplification, reuse, simplification, to-scf.
void addBufferDeallocationAndReuse(
    mlir::OpPassManager &pm, const BufferDeallocationOptions &options = {});

/// `lower-deallocation-to-llvm{generic-alloc-functions=0|1}`: memref, scf, cf,
/// func, arith, math, affine, linalg and deallocation to the LLVM dialect.
void addLowerDeallocationToLLVM(
    mlir::OpPassManager &pm,
    const ConvertDeallocationOpsToLLVMPassOptions &options = {});

/// Registers the passes and pipelines by name.
void registerDeallocationPasses();

/// Registers every dialect that the pipelines read or create, with their models
/// for one-shot bufferisation.
void registerDeallocationDialects(mlir::DialectRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_PASSES_H
