// What the globals of graph-compiler cannot say is an error.
// RUN: fold-opt %s --constant-tensor-folding="mode=runtime compatibility-globals" --split-input-file --verify-diagnostics

// expected-error @+1 {{the option compatibility-globals is given with 2 entries and mode=runtime: expected at most one entry, and mode=runtime}}
module {
  func.func @first(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) {
    return
  }
  func.func @second(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) {
    return
  }
}

// -----

// expected-error @+1 {{function 'dynamic' has a folded tensor of type 'tensor<?xf32>': the option compatibility-globals expects static shapes}}
func.func @dynamic(%w: tensor<?xf32> {onnxfold.constant = "runtime"}) -> tensor<?xf32> {
  %n = arith.negf %w : tensor<?xf32>
  return %n : tensor<?xf32>
}

// -----

llvm.mlir.global external constant @__fold_args(0 : i32) : i32
// expected-error @+1 {{function 'taken': the symbol '__fold_args' is taken: expected one entry per module with the option compatibility-globals}}
func.func @taken(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = arith.negf %w : tensor<4xf32>
  return %n : tensor<4xf32>
}
