//===- Passes.td - Passes that add ownership ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def SplitAllocTensorsPass : Pass<"split-alloc-tensors", "::mlir::func::FuncOp"> {
  let summary = "gives each use of a bufferization.alloc_tensor one of its own";
  let description = [{
    One-shot bufferisation gives an `alloc_tensor` with several uses one buffer,
    and inserts copies where the uses conflict. Its content is undefined, so
    each use gets an operation of its own. An `alloc_tensor` with a `copy`
    operand is left alone.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def DeallocatePass : Pass<"deallocate", "::mlir::ModuleOp"> {
  let summary = "frees each allocation once, after its last use";
  let description = [{
    The input is bufferised. After the pass every allocation of the module's
    functions is freed exactly once, right after the last use of anything that
    may be a view of it. `docs/deallocation.md` has the programs that it accepts,
    ownership, and the errors.

    With `public-results=ownership` functions that others can call return one
    more result per memref, which says who owns it; with `public-results=clone`
    their signatures are kept, and results that are not owned are copied.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect",
    "::onnxfold::deallocation::DeallocationDialect", "::mlir::scf::SCFDialect"
  ];
  let options = [
    Option<"publicResults", "public-results", "::onnxfold::PublicResults",
           "::onnxfold::PublicResults::Ownership",
           "results of functions that others can call",
           "::onnxfold::publicResultsValues()">
  ];
}

def DeallocationSimplificationPass
    : Pass<"deallocation-simplification", "::mlir::func::FuncOp"> {
  let summary = "replaces retains that retain nothing by memref.dealloc, and erases ownership that is null";
  let description = [{
    ```
    retain() of(x), x never null   ->  memref.dealloc of what x owns
    x that is always null          ->  null
    x that is never read           ->  null, and it is not passed around
    ```

    The canonicalisation of the dialect runs in between.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::onnxfold::deallocation::DeallocationDialect",
    "::mlir::memref::MemRefDialect"
  ];
}
