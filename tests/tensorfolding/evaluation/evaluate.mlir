// RUN: fold-run %s --pass-pipeline="evaluate-constant-tensors" --entry=packed --emit=mlir | FileCheck %s
// RUN: fold-run %s --pass-pipeline="evaluate-constant-tensors{compile=false}" --entry=packed --emit=mlir | FileCheck %s --check-prefix=NOCODE

// Code computes what nothing folds: the literal is transposed, and the entry has the result.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-SAME: folded = [], parts = []
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK: arith.addf %[[X]], %[[C]]
// CHECK-NOT: @packed.fold_compiletime
// NOCODE-LABEL: func.func @packed(
// NOCODE-SAME: tensor<2x2xf32>, %{{.*}}: tensor<2x2xf32>)
// NOCODE: func.func @packed.fold_compiletime
// NOCODE-SAME: onnxfold.not_evaluated = "result 0: constant propagation cannot fold it, and nothing is compiled"
func.func @packed(%x: tensor<2x2xf32>, %t: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {onnxfold.constant_tensors = {
    symbol = "packed.constant_tensors",
    arguments = [{type = tensor<2x2xf32>, role = "variable", entry = 0}],
    results = [tensor<2x2xf32>],
    folded = [{type = tensor<2x2xf32>, entry = 1}],
    parts = [{function = @packed.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  %y = arith.addf %x, %t : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
func.func @packed.fold_compiletime() -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%w : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  return %t : tensor<2x2xf32>
}

// Constant propagation folds it: no code is needed.
// CHECK-LABEL: func.func @propagated(
// CHECK: arith.constant dense<[4, 6]> : tensor<2xi32>
// CHECK-NOT: @propagated.fold_compiletime
// NOCODE-LABEL: func.func @propagated(
// NOCODE: arith.constant dense<[4, 6]> : tensor<2xi32>
func.func @propagated(%x: tensor<2xi32>, %t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {
    symbol = "propagated.constant_tensors",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}],
    results = [tensor<2xi32>],
    folded = [{type = tensor<2xi32>, entry = 1}],
    parts = [{function = @propagated.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  %y = arith.addi %x, %t : tensor<2xi32>
  return %y : tensor<2xi32>
}
func.func @propagated.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = arith.constant dense<[3, 4]> : tensor<2xi32>
  %c = arith.addi %a, %b : tensor<2xi32>
  return %c : tensor<2xi32>
}

// The argument has no value: its result is kept, with the reason; the others do not wait for it.
// CHECK-LABEL: func.func @dependent(
// CHECK-SAME: %{{[^:]*}}: tensor<2xi32>, %{{[^:]*}}: tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK-SAME: folded = [{entry = 1 : i64, type = tensor<2x2xi32>}]
// CHECK-SAME: folded = array<i64: 0>
// CHECK-SAME: tier = "runtime"
// CHECK: arith.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK: func.func @dependent.fold_compiletime(%{{.*}}: tensor<2x2xi32>) -> tensor<2x2xi32>
// CHECK-SAME: onnxfold.not_evaluated = "result 1: argument 0 has no value"
func.func @dependent(%x: tensor<2xi32>, %t: tensor<2x2xi32>, %u: tensor<2x2xi32>) -> tensor<2x2xi32> attributes {onnxfold.constant_tensors = {
    symbol = "dependent.constant_tensors",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}, {type = tensor<2x2xi32>, role = "compiletime", entry = -1}],
    results = [tensor<2x2xi32>],
    folded = [{type = tensor<2x2xi32>, entry = 1}, {type = tensor<2x2xi32>, entry = 2}],
    parts = [{function = @dependent.fold_compiletime, tier = "compiletime", arguments = array<i64: 1>, folded = array<i64: 0, 1>, hash = ""}]}} {
  %y = arith.addi %t, %u : tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}
func.func @dependent.fold_compiletime(%w1: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %w = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %e = tensor.empty() : tensor<2x2xi32>
  %t = linalg.transpose ins(%w : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) permutation = [1, 0]
  %u = linalg.transpose ins(%w1 : tensor<2x2xi32>) outs(%e : tensor<2x2xi32>) permutation = [1, 0]
  return %t, %u : tensor<2x2xi32>, tensor<2x2xi32>
}
