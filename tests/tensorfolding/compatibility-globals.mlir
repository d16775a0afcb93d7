// The globals of graph-compiler, for its example of two layers with biases: the
// numbers are those that its test expects.
// RUN: fold-opt %s --constant-tensor-folding="mode=runtime compatibility-globals" --split-input-file | FileCheck %s

// CHECK: llvm.mlir.global external constant @__num_orig_args(5 : i32)
// CHECK-NEXT: llvm.mlir.global external constant @__num_orig_num_args(6 : i32)
// CHECK-NEXT: llvm.mlir.global external constant @__fold_args(dense<[8, 1, 2, 3, 4, 5, 6, 7, 8]> : tensor<9xi32>) {{.*}} : !llvm.array<9 x i32>
// CHECK-NEXT: llvm.mlir.global external constant @__compute_args(dense<[5, 0, 5, 6, 7, 8]> : tensor<6xi32>) {{.*}} : !llvm.array<6 x i32>
// CHECK-NEXT: llvm.mlir.global external constant @__runtime_fold_buffer_ids(dense<[4, 0, 1, 2, 3]> : tensor<5xi64>) {{.*}} : !llvm.array<5 x i64>
// CHECK-NEXT: llvm.mlir.global external constant @__folded_ranks(dense<[4, 2, 4, 2]> : tensor<4xi32>) {{.*}} : !llvm.array<4 x i32>
// CHECK-NEXT: llvm.mlir.global external constant @__folded_shapes(dense<[2, 2, 2, 2, 2, 2, 2, 4, 2, 2, 2, 2, 2, 2, 2, 4]> : tensor<16xi64>) {{.*}} : !llvm.array<16 x i64>
// CHECK-NEXT: func.func @entry(
func.func @entry(%x: tensor<1x2x2x2xf32>, %w1: tensor<4x4xbf16>, %b1: tensor<4xf32>, %w2: tensor<4x4xbf16>, %b2: tensor<4xf32>) -> tensor<1x2x2x2xf32>
    attributes {runtime_const_args_index = [1 : i32, 2 : i32, 3 : i32, 4 : i32]} {
  %e = tensor.empty() : tensor<2x2x2x2xbf16>
  %v = tensor.empty() : tensor<2x2xf32>
  %o = tensor.empty() : tensor<1x2x2x2xf32>
  %p1 = linalg.pack %w1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xbf16> -> tensor<2x2x2x2xbf16>
  %q1 = linalg.pack %b1 inner_dims_pos = [0] inner_tiles = [2] into %v : tensor<4xf32> -> tensor<2x2xf32>
  %c1 = linalg.broadcast ins(%q1 : tensor<2x2xf32>) outs(%o : tensor<1x2x2x2xf32>) dimensions = [0, 2]
  %y1 = linalg.mmt4d ins(%x, %p1 : tensor<1x2x2x2xf32>, tensor<2x2x2x2xbf16>) outs(%c1 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %p2 = linalg.pack %w2 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xbf16> -> tensor<2x2x2x2xbf16>
  %q2 = linalg.pack %b2 inner_dims_pos = [0] inner_tiles = [2] into %v : tensor<4xf32> -> tensor<2x2xf32>
  %c2 = linalg.broadcast ins(%q2 : tensor<2x2xf32>) outs(%o : tensor<1x2x2x2xf32>) dimensions = [0, 2]
  %y2 = linalg.mmt4d ins(%y1, %p2 : tensor<1x2x2x2xf32>, tensor<2x2x2x2xbf16>) outs(%c2 : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %y2 : tensor<1x2x2x2xf32>
}

// -----

// Nothing is folded: no globals.

// CHECK: module {
// CHECK-NEXT: func.func @nothing(
func.func @nothing(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %y = arith.addf %x, %w : tensor<4xf32>
  return %y : tensor<4xf32>
}
