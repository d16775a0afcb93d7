//===- Passes.td - Constant tensors at compile time --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def EvaluateConstantTensorsPass
    : Pass<"evaluate-constant-tensors", "::mlir::ModuleOp"> {
  let summary = "runs the compile-time fold functions, and makes constants of their results";
  let description = [{
    Runs after `constant-tensor-folding`. Each function `<entry>.fold_compiletime`
    is evaluated: by constant propagation where that can fold all of it, else by
    compiling it to machine code and running it here. The results become
    constants of the entry (`#elements.dense`) instead of arguments.

    A result that cannot be evaluated is kept in its fold function, which then
    runs at the first call; the attribute `onnxfold.not_evaluated` on the
    function says why: an argument without a value, a type of dynamic shape or
    one that no constant can hold, several blocks, control flow, calls,
    operations with memory effects, and operations that may trap.

    Values of arguments come from `weights`, a list of NUMBER=FILE.npy:
    `weights=1=w1.npy,2=w2.npy` are those of arguments 1 and 2 of the only
    entry, `mlp:1=w1.npy` that of argument 1 of @mlp. Files have the element
    type of the argument; bf16 as the package ml_dtypes saves it (`|V2`).
  }];
  let options = [
    ListOption<"weights", "weights", "std::string",
               "values of compile-time arguments: [ENTRY:]NUMBER=FILE.npy">,
    Option<"compile", "compile", "bool", "true",
           "also run what constant propagation cannot fold">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::onnxfold::ElementsDialect"
  ];
}
