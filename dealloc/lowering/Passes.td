//===- Passes.td - Passes that lower ownership -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def DeallocationToScfPass : Pass<"deallocation-to-scf", "::mlir::func::FuncOp"> {
  let summary = "replaces small retains by comparisons and frees";
  let description = [{
    ```
    %k = deallocation.retain(%m) of(%a, %b)
    ```

    becomes, with the addresses of `m`, `a` and `b`,

    ```
    %is_a = %m' == %a'    %k = %is_a ? %a : null    %a = %is_a ? null : %a ...
    ```

    and the rest of `a` and `b` is freed. The code grows with memrefs *
    allocations, so only retains with at most two allocations or one memref are
    lowered here; the others are left to `convert-deallocation-ops-to-llvm`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::onnxfold::deallocation::DeallocationDialect", "::mlir::scf::SCFDialect"
  ];
}

def InlineAllocaScopesPass : Pass<"inline-alloca-scopes", "::mlir::func::FuncOp"> {
  let summary = "inlines memref.alloca_scope between llvm.intr.stacksave and llvm.intr.stackrestore";
  let description = [{
    `finalize-memref-to-llvm` cannot lower a `memref.alloca_scope` whose results
    are memrefs, and its body could not hold the blocks that loops become. The
    body is one block, so it can be between saving and restoring the stack.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ReinterpretExpandShapesPass : Pass<"reinterpret-expand-shapes"> {
  let summary = "makes memref.reinterpret_cast of memref.expand_shape with several open sizes, or an open one beside 0";
  let description = [{
    MLIR 22's `expand-strided-metadata` ends the process for these
    (docs/upstream-bugs.md). The strides are products of the sizes that the
    operation is given.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def VerifyLowerablePass : Pass<"verify-lowerable"> {
  let summary = "refuses what would end MLIR's lowerings to the LLVM dialect";
  let description = [{
    Operations of no registered dialect, reductions of `affine.parallel` without a
    neutral element, paddings without their operands, values without rank in some
    operations, and types that the LLVM dialect lacks (docs/upstream-bugs.md) are errors
    at the operation; so are vectors of more than 65,536 elements.
  }];
}

def VerifyScalarsPass : Pass<"verify-scalars"> {
  let summary = "refuses arithmetic that the LLVM dialect has no code for";
  let description = [{
    LLVM has f16, bf16, f32, f64, f80 and f128. Those of 8 bits and fewer are passed on as
    integers, but an operation that computes with them is an error at the operation: those
    of `arith` and `math`, reductions and products of vectors, `memref.atomic_rmw` and
    reductions of `affine.parallel`. So is every value of tf32, in signatures too.

    `math.erf` and others, for which a function is called, are errors on scalable vectors:
    `convert-math-to-libm` calls it for as many elements as the shortest one has.
  }];
}

def DenseScalarsPass : Pass<"dense-scalars"> {
  let summary = "makes dense constants of resources that hold one number";
  let description = [{
    `finalize-memref-to-llvm` ends the process where a `memref.global` of rank 0 is a
    `dense_resource` (docs/upstream-bugs.md). One whose bytes are not those of its type is
    an error.
  }];
}

def ExpandFloatClassesPass : Pass<"expand-float-classes"> {
  let summary = "makes comparisons of bits of math.isinf and its kind";
  let description = [{
    MLIR 22 lowers `math.isnan` and `math.isfinite`, but of vectors of one dimension only,
    and not `math.isinf` and `math.isnormal`. Floats
    of f16, bf16, f32, f64, f80 and f128 without their sign are in the order of their bits.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandScalarsPass : Pass<"expand-scalars"> {
  let summary = "expands operations of math and arith that MLIR 22 lowers wrongly or not";
  let description = [{
    `math.clampf` is between its bounds; `math.expm1` and `math.log1p` have the digits of a
    small operand. `arith.truncf` of f64 to bf16 is rounded once, without a function of the
    system. `arith.addui_extended` and `math.ipowi` of `index`, and `math.fpowi` with an
    exponent of `index` or i1, become what MLIR lowers. Integers of more than 64 bits become
    f16 by way of f32, since LLVM ends the process for vectors of them. Those of 25 to 64
    bits become bf16 by way of f64, and are rounded once; wider ones are rounded twice.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def VectorsToLLVMPass : Pass<"vectors-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts vector.extract and its kind to the LLVM dialect";
  let description = [{
    MLIR 22 calls libm for each element of a vector: `convert-math-to-libm` takes the
    elements out by operations of the vector dialect. MLIR's own pass for that dialect
    needs those of four processors.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
}

def ConvertDeallocationOpsToLLVMPass
    : Pass<"convert-deallocation-ops-to-llvm", "::mlir::ModuleOp"> {
  let summary = "converts ownership to pointers of the LLVM dialect";
  let description = [{
    Ownership becomes `!llvm.ptr`, also in signatures, loops and branches.
    Retains that are left call `onnxfold_retain_buffers`
    (`dealloc/runtime/RetainBuffers.h`).

    Memrefs may be memrefs or structures of the LLVM dialect: descriptors are
    reached through casts, which `reconcile-unrealized-casts` removes.

    With `generic-alloc-functions` buffers are freed by
    `_mlir_memref_to_llvm_free`, as `finalize-memref-to-llvm` does with
    `use-generic-functions`, instead of `free`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"
  ];
  let options = [
    Option<"genericAllocFunctions", "generic-alloc-functions", "bool", "false",
           "free by MLIR's generic function">
  ];
}
