//===- Passes.h - Buffer deallocation and reuse -----------------*- C++ -*-===//
//
// From bufferised IR that never frees to IR that frees each allocation exactly
// once, early, and with few allocations:
//
//   pm.addNestedPass<func::FuncOp>(createSplitAllocTensorsPass());
//   pm.addPass(bufferization::createOneShotBufferizePass(...));
//   addBufferDeallocationAndReuse(pm);
//   addLowerDeallocationToLLVM(pm);
//
// The passes, in that order:
//
//   split-alloc-tensors            tensors: one alloc_tensor per use
//   deallocate                     ownership, and retain where values die
//   deallocation-simplification    retain -> memref.dealloc or nothing
//   buffer-reuse                   fewer allocations (BufferReuse.h)
//   deallocation-to-scf            what is left of retain, as scf.if
//   convert-deallocation-ops-to-llvm
//
// Errors are diagnostics at the operation, and name it; a module for which
// `deallocate` reports one is unchanged. Thread safety: as passes. `deallocate`
// and the conversion to LLVM change functions and declarations, and
// `buffer-reuse` asks what callees need, so they are passes on the module; the
// others run on functions. docs/deallocation.md says which programs they
// accept.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_PASSES_H
#define ONNXFOLD_DEALLOC_PASSES_H

#include <cstdint>
#include <memory>

namespace mlir {
class DialectRegistry;
class OpPassManager;
class Pass;
} // namespace mlir

namespace onnxfold {

/// `split-alloc-tensors`, on functions: gives each use of a
/// bufferization.alloc_tensor an operation of its own, so that one-shot
/// bufferisation does not make one buffer, with copies, of unrelated tensors.
std::unique_ptr<mlir::Pass> createSplitAllocTensorsPass();

/// What a function that others can call does with ownership of its results.
enum class PublicResults {
  Ownership, // one more result per memref, appended: null if it is not owned
  Clone,     // the signature stays; what is not owned is copied
};

struct DeallocateOptions {
  PublicResults publicResults = PublicResults::Ownership;
};

/// `deallocate{public-results=ownership|clone}`, on modules: after it every
/// allocation of the module's functions is freed exactly once, right after the
/// last use of anything that may be a view of it. The input is bufferised.
std::unique_ptr<mlir::Pass>
createDeallocatePass(const DeallocateOptions &options = {});

/// `deallocation-simplification`, on functions: retains of nothing, of one
/// allocation that cannot be null (memref.dealloc), ownership that is always
/// null or never looked at.
std::unique_ptr<mlir::Pass> createDeallocationSimplificationPass();

/// What `buffer-reuse` may do.
struct BufferReuseOptions {
  int64_t stackBytes = 16384; // allocas of one function, in all; 0 = none
};

/// `buffer-reuse`, on modules: see BufferReuse.h.
std::unique_ptr<mlir::Pass>
createBufferReusePass(const BufferReuseOptions &options = {});

/// `deallocation-to-scf`, on functions: retains with at most two allocations,
/// or of at most one memref, as scf.if and deallocation.free. Others are left
/// to the conversion to LLVM.
std::unique_ptr<mlir::Pass> createDeallocationToScfPass();

/// `inline-alloca-scopes`, on functions: memref.alloca_scope as straight code.
/// finalize-memref-to-llvm does not lower those that return memrefs.
std::unique_ptr<mlir::Pass> createInlineAllocaScopesPass();

/// `realloc-in-place{call-realloc=1|0}`, on modules: memref.realloc that is
/// known not to grow keeps its buffer. With `callRealloc`, for programs that
/// allocate by `malloc`, one of a buffer that starts with its block of memory
/// calls the C function `realloc`. The others, which have an alignment, are
/// left to expand-realloc.
std::unique_ptr<mlir::Pass> createReallocInPlacePass(bool callRealloc = true);

struct DeallocationToLLVMOptions {
  /// Frees by `_mlir_memref_to_llvm_free`, as finalize-memref-to-llvm does with
  /// use-generic-functions, instead of `free`.
  bool genericAllocFunctions = false;
};

/// `convert-deallocation-ops-to-llvm{generic-alloc-functions=0|1}`, on modules:
/// ownership becomes !llvm.ptr, also in signatures, loops and branches. Retains
/// that are left call `onnxfold_retain_buffers` (runtime/RetainBuffers.h).
std::unique_ptr<mlir::Pass> createConvertDeallocationOpsToLLVMPass(
    const DeallocationToLLVMOptions &options = {});

struct BufferDeallocationOptions {
  DeallocateOptions deallocate;
  BufferReuseOptions reuse;
  bool bufferReuse = true; // false: deallocation alone
};

/// `buffer-deallocation-and-reuse{public-results= reuse= stack-bytes=}`:
/// deallocate, simplification, reuse, simplification, to-scf.
void addBufferDeallocationAndReuse(
    mlir::OpPassManager &pm, const BufferDeallocationOptions &options = {});

/// `lower-deallocation-to-llvm{generic-alloc-functions=0|1}`: memref, scf, cf,
/// func, arith, math, affine, linalg and deallocation to the LLVM dialect.
void addLowerDeallocationToLLVM(mlir::OpPassManager &pm,
                                const DeallocationToLLVMOptions &options = {});

/// Makes all of the above known by name.
void registerDeallocationPasses();

/// Every dialect that the pipelines read or make, and what one-shot
/// bufferisation needs to know of them.
void registerDeallocationDialects(mlir::DialectRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_PASSES_H
