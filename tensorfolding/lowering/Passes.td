//===- Passes.td - From folded modules to compiled code ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def LowerPacksPass : Pass<"lower-packs", "::mlir::func::FuncOp"> {
  let summary = "replaces linalg.pack and linalg.unpack by pad, reshape, transpose and slice";
  let description = [{
    MLIR cannot bufferize `linalg.pack` and `linalg.unpack`. A pack becomes

    ```
    tensor.pad (if it has a padding value), tensor.expand_shape, linalg.transpose
    ```

    and an unpack `linalg.transpose`, `tensor.collapse_shape`,
    `tensor.extract_slice`. A pack or unpack whose inner tile sizes are not
    static cannot be lowered, which is an error at the operation.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ConstantTensorsMetadataPass
    : Pass<"constant-tensors-metadata", "::mlir::ModuleOp"> {
  let summary = "replaces onnxfold.constant_tensors by a constant of the program";
  let description = [{
    Replaces the attribute, which says what runs once and where the entry takes
    its results, by an `llvm.mlir.global` `<entry>.fold_metadata` with the
    bytes that the run-time library reads (`tensorfolding/runtime/Metadata.h`).
    Runs while functions still have tensor types.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PrepareCallsPass : Pass<"prepare-constant-tensor-calls", "::mlir::ModuleOp"> {
  let summary = "makes the arguments of public functions read-only";
  let description = [{
    Marks each public function with a body: `llvm.emit_c_interface`, so that C
    can call it, and `bufferization.writable = false` on its tensor arguments
    that do not say otherwise. Without the second, bufferization computes
    `%folded + %x` in the memory of `%folded`: the next call would read
    a cached tensor that is not the folded one any more.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def StaticResultsToOutParamsPass
    : Pass<"static-results-to-out-params", "::mlir::ModuleOp"> {
  let summary = "replaces results of static shape by buffers that the caller passes";
  let description = [{
    A function whose memref results are all of static shape takes their buffers
    as further arguments and writes there; scalars are returned. One with a result of dynamic
    shape keeps its results: it returns descriptors of buffers from `malloc`,
    which the caller frees. MLIR's `buffer-results-to-out-params`, which does
    the work, fails for these.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def StridedCopiesToLoopsPass
    : Pass<"strided-copies-to-loops", "::mlir::func::FuncOp"> {
  let summary = "replaces copies between layouts by loops";
  let description = [{
    `finalize-memref-to-llvm` makes a `memref.copy` whose operands are not both
    contiguous a call of `memrefCopy`, a function of MLIR's run-time library.
    As `linalg.generic` it needs no library.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}
