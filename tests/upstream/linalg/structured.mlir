// RUN: fold-opt -constprop -scrub -split-input-file %s | FileCheck %s

// Results that can be told by looking at them; the differential tests have the rest.

// A gather of the body's own.
// CHECK-LABEL: @extract_in_a_body
// CHECK: dense<[7, 6, 7]>
func.func @extract_in_a_body() -> tensor<3xi32> {
  %table = arith.constant dense<[6, 7]> : tensor<2xi32>
  %i = arith.constant dense<[1, 0, 1]> : tensor<3xindex>
  %e = tensor.empty() : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<3xindex>) outs(%e : tensor<3xi32>) {
  ^bb0(%a: index, %c: i32):
    %v = tensor.extract %table[%a] : tensor<2xi32>
    linalg.yield %v : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// The diagonal: one loop along two dimensions.
// CHECK-LABEL: @diagonal
// CHECK: dense<[1, 4]>
func.func @diagonal() -> tensor<2xi32> {
  %x = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2x2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %c: i32):
    linalg.yield %a : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Reversed.
// CHECK-LABEL: @negative_step
// CHECK: dense<[3, 2, 1]>
func.func @negative_step() -> tensor<3xi32> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %e = tensor.empty() : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (2 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xi32>) outs(%e : tensor<3xi32>) {
  ^bb0(%a: i32, %c: i32):
    linalg.yield %a : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// A reduction of nothing is what it begins with.
// CHECK-LABEL: @sum_of_nothing
// CHECK: dense<-0.000000e+00>
func.func @sum_of_nothing() -> tensor<f32> {
  %x = arith.constant dense<> : tensor<0xf32>
  %z = arith.constant dense<-0.0> : tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<0xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @pack_with_padding
// CHECK: dense<{{\[\[\[1, 2\], \[4, 5\]\], \[\[3, 9\], \[6, 9\]\]\]}}>
func.func @pack_with_padding() -> tensor<2x2x2xi32> {
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %p = arith.constant 9 : i32
  %e = tensor.empty() : tensor<2x2x2xi32>
  %r = linalg.pack %x padding_value(%p : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e
      : tensor<2x3xi32> -> tensor<2x2x2xi32>
  return %r : tensor<2x2x2xi32>
}

// -----

// CHECK-LABEL: @unpack_drops_padding
// CHECK: dense<{{\[\[1, 2, 3\], \[4, 5, 6\]\]}}>
func.func @unpack_drops_padding() -> tensor<2x3xi32> {
  %x = arith.constant dense<[[[1, 2], [4, 5]], [[3, 9], [6, 9]]]> : tensor<2x2x2xi32>
  %e = tensor.empty() : tensor<2x3xi32>
  %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e
      : tensor<2x2x2xi32> -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: @softmax
// CHECK: dense<5.000000e-01>
func.func @softmax() -> tensor<2xf32> {
  %x = arith.constant dense<3.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.softmax dimension(0) ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// torch-mlir looks up words like this, and constant positions of words too.
// CHECK-LABEL: @assertion_that_holds
// CHECK-NEXT: arith.constant dense<[3.000000e+00, 1.000000e+00]>
// CHECK-NEXT: return
func.func @assertion_that_holds() -> tensor<2xf32> {
  %x = arith.constant dense<[2, 0]> : tensor<2xi64>
  %t = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %three = arith.constant 3 : index
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi64>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: i64, %c: f32):
    %i = arith.index_cast %a : i64 to index
    %small = arith.cmpi slt, %i, %three : index
    cf.assert %small, "index must be smaller than dim size"
    %v = tensor.extract %t[%i] : tensor<3xf32>
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
