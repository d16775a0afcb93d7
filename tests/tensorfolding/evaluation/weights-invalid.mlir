// A weight of an argument that does not exist was ignored. What names no compile-time argument is an error.
// RUN: not fold-run %s --pass-pipeline="evaluate-constant-tensors{weights=2=w.npy}" --entry=f --emit=mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not fold-run %s --pass-pipeline="evaluate-constant-tensors{weights=f:0=w.npy}" --entry=f --emit=mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not fold-run %s --pass-pipeline="evaluate-constant-tensors{weights=g:1=w.npy}" --entry=f --emit=mlir 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not fold-run %s --pass-pipeline="evaluate-constant-tensors{weights=-1=w.npy}" --entry=f --emit=mlir 2>&1 | FileCheck %s --check-prefix=TEXT

// NUMBER: error: weights has '2=w.npy', but 'f' has 2 arguments: expected numbers of arguments, from 0 on
// INPUT: error: weights has 'f:0=w.npy', but 'f' has variable argument 0: expected one that is compiletime
// NAME: error: weights has 'g:1=w.npy', but 'g' is not an entry: expected a function that constant-tensor-folding made one
// TEXT: error: weights has '-1=w.npy', expected [ENTRY:]NUMBER=FILE
func.func @f(%x: tensor<2xi32>, %t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {
    symbol = "f.constant_tensors",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}, {type = tensor<2xi32>, role = "compiletime", entry = -1}],
    results = [tensor<2xi32>],
    folded = [{type = tensor<2xi32>, entry = 1}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64: 1>, folded = array<i64: 0>, hash = ""}]}} {
  %y = arith.addi %x, %t : tensor<2xi32>
  return %y : tensor<2xi32>
}
func.func @f.fold_compiletime(%w: tensor<2xi32>) -> tensor<2xi32> {
  %t = arith.addi %w, %w : tensor<2xi32>
  return %t : tensor<2xi32>
}
func.func @g() {
  return
}
