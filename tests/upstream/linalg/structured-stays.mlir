// RUN: fold-opt -constprop -split-input-file --remarks-filter-missed=constprop %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// Structured operations that must stay as they are, each with its reason.

// WHY: arith.divsi{{.*}}element [1] divides by 0
// CHECK-LABEL: @generic_division_by_zero_stays
// CHECK: linalg.generic
func.func @generic_division_by_zero_stays() -> tensor<2xi32> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %y = arith.constant dense<[3, 0]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %q = arith.divsi %a, %b : i32
    linalg.yield %q : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// The body reads the destination, which holds nothing.
// CHECK-LABEL: @reduce_into_empty_stays
// CHECK: linalg.reduce
func.func @reduce_into_empty_stays() -> tensor<f32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<2xf32>) outs(%e : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// WHY: is of a tensor with an encoding
// CHECK-LABEL: @encoding_stays
// CHECK: linalg.abs
func.func @encoding_stays() -> tensor<2xf32, "blocked"> {
  %x = arith.constant dense<[1.0, -2.0]> : tensor<2xf32, "blocked">
  %e = tensor.empty() : tensor<2xf32, "blocked">
  %r = linalg.abs ins(%x : tensor<2xf32, "blocked">) outs(%e : tensor<2xf32, "blocked">) -> tensor<2xf32, "blocked">
  return %r : tensor<2xf32, "blocked">
}

// -----

// CHECK-LABEL: @memref_form_stays
// CHECK: linalg.fill
func.func @memref_form_stays(%m: memref<4xf32>) {
  %v = arith.constant 1.0 : f32
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// WHY: an assertion in its body fails: index must be smaller than dim size
// CHECK-LABEL: @assertion_that_fails_stays
// CHECK: cf.assert
func.func @assertion_that_fails_stays() -> tensor<2xi64> {
  %x = arith.constant dense<[2, 3]> : tensor<2xi64>
  %three = arith.constant 3 : i64
  %e = tensor.empty() : tensor<2xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi64>) outs(%e : tensor<2xi64>) {
  ^bb0(%a: i64, %c: i64):
    %small = arith.cmpi slt, %a, %three : i64
    cf.assert %small, "index must be smaller than dim size"
    linalg.yield %a : i64
  } -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// WHY: its body has a 'func.call', which may have effects
// CHECK-LABEL: @body_with_an_effect_stays
// CHECK: linalg.generic
func.func private @print(i32)
func.func @body_with_an_effect_stays() -> tensor<2xi32> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %c: i32):
    func.call @print(%a) : (i32) -> ()
    linalg.yield %a : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// What a dimension is at run time is not known.
// CHECK-LABEL: @fill_of_unknown_size_stays
// CHECK: linalg.fill
func.func @fill_of_unknown_size_stays(%n: index) -> tensor<?xf32> {
  %v = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// An index outside of a tensor that the body reads.
// WHY: its body reads index 2 of a dimension of 2
// CHECK-LABEL: @extract_outside_stays
// CHECK: linalg.generic
func.func @extract_outside_stays() -> tensor<2xi32> {
  %table = arith.constant dense<[6, 7]> : tensor<2xi32>
  %i = arith.constant dense<[1, 2]> : tensor<2xindex>
  %e = tensor.empty() : tensor<2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<2xindex>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: index, %c: i32):
    %v = tensor.extract %table[%a] : tensor<2xi32>
    linalg.yield %v : i32
  } -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Indices that are not affine.
// WHY: the indices of input #0 are not affine
// CHECK-LABEL: @modulo_stays
// CHECK: linalg.generic
func.func @modulo_stays() -> tensor<4xi32> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %e = arith.constant dense<0> : tensor<4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 mod 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%a: i32, %c: i32):
    linalg.yield %a : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// WHY: the tiles do not divide [3]
// CHECK-LABEL: @pack_without_padding_stays
// CHECK: linalg.pack
func.func @pack_without_padding_stays() -> tensor<?x2xi32> {
  %known = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %x = tensor.cast %known : tensor<3xi32> to tensor<?xi32>
  %c = arith.constant 1 : index
  %n = arith.addi %c, %c : index
  %e = tensor.empty(%n) : tensor<?x2xi32>
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xi32> -> tensor<?x2xi32>
  return %r : tensor<?x2xi32>
}
