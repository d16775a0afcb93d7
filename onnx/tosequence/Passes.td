//===- Passes.td - ONNX sequences as programs --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def ConvertOnnxToSequencePass
    : Pass<"convert-onnx-to-sequence", "::mlir::ModuleOp"> {
  let summary = "converts ONNX sequences, and the operators around them, to other dialects";
  let description = [{
    Functions of ONNX operators become functions of the dialects sequence,
    tensor, linalg, arith and scf, which `lower-sequence-to-llvm` compiles:

    ```
    fold-opt model.mlir --convert-onnx-to-sequence --lower-sequence-to-llvm
    ```

    These operators become code:

    - `SequenceEmpty`, `SequenceConstruct`, `SequenceInsert`, `SequenceErase`,
      `SequenceAt`, `SequenceLength`, `SplitToSequence`, `ConcatFromSequence`,
      `SequenceMap`
    - `If`, `Loop` and `Scan`, with loop-carried sequences and tensors, also of
      changing rank, and scan outputs
    - `Optional`, `OptionalHasElement`, `OptionalGetElement`, and optionals that
      an `If` yields or a `Loop` carries; as an argument or result of a function
      one is two: what is in it, and an i1 that says whether it is there
    - calls of functions of the model, which are inlined
    - `Identity`, `Constant`, `Shape`, and, where shapes, axes and steps are
      known, `Reshape`, `Flatten`, `Slice`, `Squeeze`, `Unsqueeze`
    - `Add`, `Sub`, `Mul`, `Div`, `Neg`, `Abs`, `Sqrt`, `Relu`, `Sum`, `Max`,
      `Min`, `Clip`, `Where`, `Cast`, comparisons, `And`, `Or`, `Xor`, `Not`
    - `Transpose` that keeps the last axis, `Concat`, `Split`, `Gather`, `Pad` with
      a constant
    - `Conv` of known shapes and of one group, or a group for each channel,
      `MatMul` and `Gemm`, `MaxPool` and `AveragePool` of known shapes
    - `ReduceSum`, `ReduceMean`, `ReduceSumSquare`, `ReduceL1`, `ReduceL2`,
      `ReduceMax`, `ReduceMin`, `GlobalAveragePool`, `GlobalMaxPool`, and
      `Softmax` along the last axis
    - `BatchNormalization` in training mode, and `Dropout`, which stops the
      program where it would be random

    All others on tensors become `sequence.kernel`: the run time calls the
    kernel that folding would call (onnx/programs).

    Types are inferred from the operands, and may be more precise than those of
    the model. Arguments and results of functions keep the types of the model
    (`!onnx.seq<tensor<...>>` is `!sequence.seq<tensor<...>, ?>`).

    Errors: an operator without a kernel (random and custom ones), a type that has
    no lowering (maps). A string is an i64, the number of its text at run time.
  }];
  let dependentDialects = [
    "::onnxfold::sequence::SequenceDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}
