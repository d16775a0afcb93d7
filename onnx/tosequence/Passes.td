//===- Passes.td - ONNX sequences as programs --------------*- tablegen -*-===//
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def ConvertOnnxToSequencePass
    : Pass<"convert-onnx-to-sequence", "::mlir::ModuleOp"> {
  let summary = "ONNX sequences, and the operators around them, to other dialects";
  let description = [{
    Functions of ONNX operators become functions of the dialects sequence,
    tensor, linalg, arith and scf, which `lower-sequence-to-llvm` compiles:

    ```
    fold-opt model.mlir --convert-onnx-to-sequence --lower-sequence-to-llvm
    ```

    The pass is meant for sequences, and lowers the operators that models have
    around them:

    - `SequenceEmpty`, `SequenceConstruct`, `SequenceInsert`, `SequenceErase`,
      `SequenceAt`, `SequenceLength`, `SplitToSequence`, `ConcatFromSequence`,
      `SequenceMap`
    - `If` and `Loop`, with loop-carried sequences and tensors, and scan outputs
    - `Optional`, `OptionalHasElement`, `OptionalGetElement`, and optionals that
      a `Loop` carries
    - `Identity`, `Constant`, `Add`, `Sub`, `Mul`, `Slice`, `Unsqueeze`,
      `Squeeze`, `Shape`, `Not`

    Everything else is an error that names the operator.

    Types are inferred from the operands, and may be more precise than those of
    the model: the type of a loop-carried sequence is the least one that covers
    the initial one and the one that the body yields, to a fixpoint, its length
    too. Arguments and results of functions keep the types of the model
    (`!onnx.seq<tensor<...>>` is `!sequence.seq<tensor<...>, ?>`).

    Errors are diagnostics at the operation: an operator without a lowering, a
    type that has none (strings, maps; optionals as arguments or results of
    functions and branches), unranked operands of `Add` and the like, axes and
    steps that are not constant.
  }];
  let dependentDialects = [
    "::onnxfold::sequence::SequenceDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}
