// Programs that the published implementation (graph-compiler, September 2024)
// folds wrongly or not at all, and that no other test has.
// RUN: fold-opt %s --constant-tensor-folding="mode=runtime" --split-input-file | FileCheck %s

// Operations on an argument that was dropped (grows too much) went into the fold
// function all the same, where the argument was not defined.

// CHECK-LABEL: func.func @dropped(
// CHECK-SAME: %{{[^:]*}}: tensor<4096xf32>, %[[S:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %{{[^:]*}}: tensor<4096xf32> {bufferization.writable = false}) ->
// CHECK: tensor.pad %[[S]]
// CHECK-LABEL: func.func @dropped.fold_runtime(
// CHECK-SAME: tensor<4096xf32> {bufferization.writable = false}) -> tensor<4096xf32>
// CHECK-NOT: tensor.pad
func.func @dropped(%x: tensor<4096xf32>, %small: tensor<4xf32> {onnxfold.constant = "runtime"}, %w: tensor<4096xf32> {onnxfold.constant = "runtime"}) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %small low[0] high[4092] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<4096xf32>
  %n = arith.negf %w : tensor<4096xf32>
  %0 = arith.addf %x, %p : tensor<4096xf32>
  %1 = arith.addf %0, %n : tensor<4096xf32>
  return %1 : tensor<4096xf32>
}

// -----

// The last output was taken to belong to the argument that was looked at, and
// two different arguments for the same one.

// CHECK-LABEL: func.func @two_arguments(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %{{[^:]*}}: tensor<4xf32> {bufferization.writable = false}) ->
// CHECK-LABEL: func.func @two_arguments.fold_runtime(
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[B:[^:]*]]: tensor<4xf32> {bufferization.writable = false}) ->
// CHECK-NEXT: %[[S:.*]] = arith.subf %[[B]], %[[A]]
// CHECK-NEXT: return %[[S]]
func.func @two_arguments(%a: tensor<4xf32> {onnxfold.constant = "runtime"}, %x: tensor<4xf32>, %b: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %s = arith.subf %b, %a : tensor<4xf32>
  %y = arith.addf %x, %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The other dialects: control flow, and math with literals alone.

// CHECK-LABEL: func.func @dialects(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>, %{{[^:]*}}: tensor<4xf32> {bufferization.writable = false})
// CHECK-LABEL: func.func @dialects.fold_runtime(
// CHECK: math.exp
// CHECK: scf.for
func.func @dialects(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = math.exp %c : tensor<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %e) -> tensor<4xf32> {
    %t = arith.addf %s, %w : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  %y = arith.addf %x, %r : tensor<4xf32>
  return %y : tensor<4xf32>
}
