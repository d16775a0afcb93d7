//===- Passes.td - Constant tensor folding -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def PrintConstantTensorsPass
    : Pass<"print-constant-tensors", "::mlir::ModuleOp"> {
  let summary = "prints which values never change between runs, and why the others may";
  let description = [{
    Prints to stderr, for each function that has a body, every argument and
    result of an operation with `compiletime`, `runtime` or `variable`, and for
    `variable` the reason (docs/tensor-folding.md). Bodies of linalg operations
    are left out. The module is unchanged.
  }];
}

def ConstantTensorFoldingPass
    : Pass<"constant-tensor-folding", "::mlir::ModuleOp"> {
  let summary = "moves work on tensors that never change into functions that run once";
  let description = [{
    Work on weights (packing, transposing, dequantising) leaves the entry
    function, which receives the folded tensors as arguments instead:

    ```
    func.func @mlp(%x: tensor<4x64xf32>,
                   %w: tensor<64x64xf32> {onnxfold.constant = "runtime"}) {
      %p = linalg.pack %w ...
      %y = linalg.mmt4d ins(%x, %p) ...
    -->
    func.func @mlp(%x: tensor<4x64xf32>, %p: tensor<8x64x8x1xf32>) {
      %y = linalg.mmt4d ins(%x, %p) ...
    func.func @mlp.fold_runtime(%w: tensor<64x64xf32>) -> tensor<8x64x8x1xf32> {
      %p = linalg.pack %w ...
      return %p
    ```

    Literals are constant, and so are arguments with the attribute
    `onnxfold.constant = "compiletime"` or `"runtime"`, and those whose number
    is in the attribute `compiletime_const_args_index` or
    `runtime_const_args_index` of the function (arrays of integers). A result is
    constant if all operands and captured values are, and the operation has no
    memory effects. What depends on compile-time constants alone is moved to
    `<entry>.fold_compiletime`.

    The new arguments of the entry are those that it still reads, in order, then
    the folded tensors. Groups of operations that share no operation become
    functions `<entry>.fold_runtime.<k>`, called by `<entry>.fold_runtime`: after
    a weight has changed only its group must run again. The attribute
    `onnxfold.constant_tensors` of the entry says which function takes and
    returns what (`tensorfolding/ConstantTensors.h`).

    Not folded are tensors that grow too much, tensors smaller than `min-bytes`
    that are computed from such tensors, views, broadcasts, fills and extensions
    to a wider type; their operands are folded instead. With
    `postpone-broadcasts` element-wise operations on a broadcast are computed
    before it.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "functions to fold (default: those with marks)">,
    Option<"mode", "mode", "::onnxfold::TensorFoldingMode",
           "::onnxfold::TensorFoldingMode::Both",
           "which constants are folded, at compile time or at run time",
           "::onnxfold::tensorFoldingModeValues()">,
    Option<"maxGrowthRatio", "max-growth-ratio", "double", "8",
           "largest ratio of the bytes of a folded tensor to those of its operands">,
    Option<"maxGrowth", "max-growth", "int64_t", "1048576",
           "bytes by which a folded tensor may be larger than its operands (-1: no limit)">,
    Option<"minBytes", "min-bytes", "int64_t", "9",
           "smaller tensors that are computed from smaller ones are not folded">,
    Option<"postponeBroadcasts", "postpone-broadcasts", "bool", "true",
           "compute element-wise operations before broadcasts">,
    Option<"symbolPrefix", "symbol-prefix", "std::string", "",
           "prefix of the names of new functions and constants">,
    Option<"compatibilityGlobals", "compatibility-globals", "bool", "false",
           "also write the globals __num_orig_args, __compute_args, ... of graph-compiler (mode=runtime, one entry)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::tensor::TensorDialect"
  ];
}
