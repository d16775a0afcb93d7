// RUN: fold-opt -constprop -split-input-file --remarks-filter-missed=constprop %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// Near misses of tensor, and of globals that it reads.

// WHY: tensor.cast not folded: its operand has shape [3]
// CHECK-LABEL: @cast_that_fails_stays
// CHECK: tensor.cast {{.*}} tensor<4xi32>
func.func @cast_that_fails_stays() -> tensor<4xi32> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d = tensor.cast %x : tensor<3xi32> to tensor<?xi32>
  %e = tensor.cast %d : tensor<?xi32> to tensor<4xi32>
  return %e : tensor<4xi32>
}

// -----

// CHECK-LABEL: @unknown_offset_stays
// CHECK: tensor.extract_slice
func.func @unknown_offset_stays(%i: index) -> tensor<2xi32> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d = tensor.extract_slice %x[%i] [2] [1] : tensor<3xi32> to tensor<2xi32>
  return %d : tensor<2xi32>
}

// -----

// WHY: tensor.extract not folded: dimension 0, of 3 elements, is left
// CHECK-LABEL: @extract_outside_stays
// CHECK: tensor.extract
func.func @extract_outside_stays() -> i32 {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = arith.constant 3 : index
  %d = tensor.extract %x[%i] : tensor<3xi32>
  return %d : i32
}

// -----

// CHECK-LABEL: @unknown_element_stays
// CHECK: tensor.from_elements
func.func @unknown_element_stays(%x: i32) -> tensor<2xi32> {
  %one = arith.constant 1 : i32
  %r = tensor.from_elements %one, %x : tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// WHY: tensor.insert_slice not folded: is of a tensor with an encoding
// CHECK-LABEL: @encoding_stays
// CHECK: tensor.insert_slice
func.func @encoding_stays() -> tensor<3xi32, "blocked"> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32, "blocked">
  %y = arith.constant dense<[4]> : tensor<1xi32>
  %r = tensor.insert_slice %y into %x[0] [1] [1] : tensor<1xi32> into tensor<3xi32, "blocked">
  return %r : tensor<3xi32, "blocked">
}

// -----

// A tensor of vectors has more dimensions than its type says; this ran without end.
// WHY: tensor.from_elements not folded: is of a tensor whose elements are vectors
// CHECK-LABEL: @tensor_of_vectors_stays
// CHECK: tensor.from_elements
func.func @tensor_of_vectors_stays() -> tensor<2xvector<2xi32>> {
  %v = arith.constant dense<3> : vector<2xi32>
  %t = tensor.from_elements %v, %v : tensor<2xvector<2xi32>>
  return %t : tensor<2xvector<2xi32>>
}

// -----

// Vectors fold as tensors do.
// CHECK-LABEL: @vectors
// CHECK: arith.constant dense<[2, 4]> : vector<2xi32>
// CHECK-NOT: arith.addi
func.func @vectors() -> vector<2xi32> {
  %v = arith.constant dense<[1, 2]> : vector<2xi32>
  %r = arith.addi %v, %v : vector<2xi32>
  return %r : vector<2xi32>
}

// -----

// The value of an external global is not here; a load that is ordered by tokens may be behind a store.
// CHECK-LABEL: @external_and_ordered_globals_stay
// CHECK-COUNT-2: arith.negf
// CHECK: ml_program.global_store @state
ml_program.global private @external(#ml_program.extern<tensor<2xf32>>) : tensor<2xf32>
ml_program.global private @weights(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @state(dense<1.0> : tensor<2xf32>) : tensor<2xf32>
func.func @external_and_ordered_globals_stay() -> (tensor<2xf32>, tensor<2xf32>) {
  %v = ml_program.global_load_const @external : tensor<2xf32>
  %n = arith.negf %v : tensor<2xf32>
  %t = ml_program.token
  %g, %u = ml_program.global_load_graph @weights ordering(%t -> !ml_program.token) : tensor<2xf32>
  %m = arith.negf %g : tensor<2xf32>
  ml_program.global_store @state = %n : tensor<2xf32>
  return %n, %m : tensor<2xf32>, tensor<2xf32>
}

// -----

// A global's value may be a resource too.
// CHECK-LABEL: @resource_global
// CHECK: arith.constant dense<[-1.000000e+00, -2.000000e+00]>
// CHECK-NOT: ml_program.global_load
ml_program.global private @resource(dense_resource<values> : tensor<2xf32>) : tensor<2xf32>
func.func @resource_global() -> tensor<2xf32> {
  %v = ml_program.global_load @resource : tensor<2xf32>
  %n = arith.negf %v : tensor<2xf32>
  return %n : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      values: "0x040000000000803F00000040"
    }
  }
#-}
