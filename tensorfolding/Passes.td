//===- Passes.td - Constant tensor folding -----------------*- tablegen -*-===//
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
    result of an operation with `compiletime` (a literal, an argument that is
    marked so, or made of those alone), `runtime` (made of an argument that is
    the same in every run but that the compiler does not know) or `variable`,
    and for `variable` the reason. Bodies of linalg operations are left out. The
    module is unchanged.

    `constant-tensor-folding` describes the marks.
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

    Constant are literals, and arguments with the attribute
    `onnxfold.constant = "compiletime"` or `"runtime"`, or whose number is in
    the attribute `compiletime_const_args_index` or `runtime_const_args_index`
    of the function (arrays of integers). A result is constant if all operands
    and captured values are, and the operation has no memory effects. What
    depends on compile-time constants alone is moved to `<entry>.fold_compiletime`.

    The new arguments of the entry are those that it still reads, in order, then
    the folded tensors. Groups of operations that share none become functions
    `<entry>.fold_runtime.<k>` of their own, called by `<entry>.fold_runtime`: a
    changed weight needs only its group again. `onnxfold.constant_tensors` on
    the entry says which function takes and makes what
    (`tensorfolding/ConstantTensors.h`).

    Not folded: what grows a tensor too much, is smaller than `min-bytes` and
    made of such, is a view, a broadcast, a fill or an extension to a wider
    type; what it is made of is folded instead. With `postpone-broadcasts` element-wise operations
    behind a broadcast are computed before it.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "functions to fold (default: those with marks)">,
    Option<"mode", "mode", "::onnxfold::TensorFoldingMode",
           "::onnxfold::TensorFoldingMode::Both",
           "what is folded, and where",
           "::onnxfold::tensorFoldingModeValues()">,
    Option<"maxGrowthRatio", "max-growth-ratio", "double", "8",
           "bytes of a folded tensor over those it is made of">,
    Option<"maxGrowth", "max-growth", "int64_t", "1048576",
           "bytes that a folded tensor may be larger than what it is made of (-1: no limit)">,
    Option<"minBytes", "min-bytes", "int64_t", "9",
           "a smaller tensor, made of smaller ones, is not kept">,
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
