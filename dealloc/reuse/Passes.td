//===- Passes.td - Passes that save memory -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def BufferReusePass : Pass<"buffer-reuse", "::mlir::ModuleOp"> {
  let summary = "fewer allocations by reuse, hoisting and double buffering";
  let description = [{
    Runs after `deallocate` and `deallocation-simplification`, or on any
    function that frees its buffers by `memref.dealloc`. It handles
    buffers of `memref.alloc` and their `memref.dealloc`. The steps, in this
    order, inner blocks before outer ones:

    - **coalescing**: the buffers of `memref.copy %b, %a` become one if the copy
      is the first use of `%a` and the last use of `%b`, or if `%a` has no use
      while `%b` is live and is an allocation, or an argument of the function
      with the attribute `deallocation.restrict = true`, which says that nothing
      else is a view of it.
    - **double buffering**: an allocation that is live at the end of an iteration
      of `scf.for` or `scf.while`, and a dealloc of a buffer of its type that was
      live at the start, become one more loop-carried buffer.
    - **reuse**: linear scan assigns slots to the live intervals of a block.
      Buffers of different types become views of a memref of i8, as large as the
      largest.
    - **hoisting**: buffers of a loop are allocated once before it; those of
      branches and of both regions of a while loop share memory. Dynamic sizes
      must be values from outside of the loop. Nothing is hoisted out of a
      parallel loop, and out of a branch that is in no loop only into an existing
      slot.
    - **stack**: buffers of at most `stack-bytes` bytes in all become
      `memref.alloca`, outside of loops, in functions that call no function with
      a body.

    Types, layouts, memory spaces and alignments are respected.

    **Memory.** If every loop runs and every branch is taken, the peak of a
    program is not above that of upstream's ownership-based deallocation, but for
    the bytes by which coalescing aligns a source. Buffers that were hoisted out
    of loops that do not run, and of branches that are not taken, are still
    allocated: the peak may be higher by at most these, and `mark-hoisted` marks
    them. No buffer is kept alive over calls of functions whose memory is not
    known: recursive ones, and functions that are values.

    **Preconditions.** No memref is stored in memory; an unknown operation keeps
    no view of its operands except by its results. An operation with a result of
    unknown type (a token) uses its operands until the last use of that result.
    Buffers that the pass cannot follow are not changed: there are no errors.

    The result is deterministic. Time: n log n in the operations of a function.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"markHoisted", "mark-hoisted", "bool", "false",
           "mark allocations that were hoisted out of loops and branches">,
    Option<"stackBytes", "stack-bytes", "int64_t", "16384",
           "bytes of stack that a function may use for buffers">
  ];
}

def ReallocInPlacePass : Pass<"realloc-in-place", "::mlir::ModuleOp"> {
  let summary = "grows buffers that start with their block by the C function realloc";
  let description = [{
    `expand-realloc` allocates, copies and frees. Where blocks come from
    `malloc`, `realloc` grows them in place or moves their pages. It takes the
    buffers that start with their block, which is checked at run time, as
    `memref.alloc` with an alignment may begin behind it. The others are left to
    `expand-realloc`.

    A `memref.realloc` that is known not to grow keeps its buffer with any
    allocator; `expand-realloc` fails on it where the sizes are static.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::onnxfold::deallocation::DeallocationDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
  let options = [
    Option<"callRealloc", "call-realloc", "bool", "true",
           "buffers come from malloc, so that realloc can grow them">
  ];
}
