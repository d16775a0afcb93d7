// Folded tensors and weights keep their content.
// RUN: fold-opt %s --constant-tensor-folding --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// Bufferization took the folded argument for writable: the sum was computed in
// it, and the second run read the result of the first.

// CHECK-LABEL: func.func @overwritten(
// CHECK-SAME: %[[F:[^:]*]]: memref<4xf32>)
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: memref.copy %[[F]], %[[OUT]]
// CHECK: linalg.generic {{.*}} outs(%[[OUT]] :
// CHECK-LABEL: func.func @overwritten.fold_runtime(
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} outs(%[[OUT]] :
#id = affine_map<(i) -> (i)>
func.func @overwritten(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %f = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%w : tensor<4xf32>) {
  ^bb0(%out: f32):
    %s = arith.addf %out, %one : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %x = llvm.call @next() : () -> f32
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%out: f32):
    %s = arith.addf %out, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %g : tensor<4xf32>
}
llvm.func @next() -> f32
