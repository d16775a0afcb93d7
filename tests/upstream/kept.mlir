// RUN: fold-opt %s -constprop -split-input-file | FileCheck %s
// RUN: fold-opt %s -constprop -split-input-file --remarks-filter-missed=constprop 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// What stays: constants that cannot be read, types that say more than their
// elements, effects, unknown sizes. The reasons are remarks.

// REMARK: arith.constant not folded: resource 'missing' has no data
// REMARK: arith.constant not folded: resource 'short' has 4 bytes, expected 16
// REMARK: arith.constant not folded: elements of type i3 are not supported
// REMARK: arith.constant not folded: resource '__elided__' has no data
// CHECK-LABEL: @unreadable_constants
// CHECK: arith.negf
// CHECK: arith.negf
// CHECK: arith.addi
// CHECK: arith.negf
func.func @unreadable_constants() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi3>, tensor<4xf32>) {
  %a = arith.constant dense_resource<missing> : tensor<4xf32>
  %b = arith.constant dense_resource<short> : tensor<4xf32>
  %c = arith.constant dense<[1, 2, 3, 0]> : tensor<4xi3>
  %d = arith.constant dense_resource<__elided__> : tensor<4xf32>
  %x = arith.negf %a : tensor<4xf32>
  %y = arith.negf %b : tensor<4xf32>
  %z = arith.addi %c, %c : tensor<4xi3>
  %u = arith.negf %d : tensor<4xf32>
  return %x, %y, %z, %u : tensor<4xf32>, tensor<4xf32>, tensor<4xi3>, tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

// REMARK: arith.addf not folded: is of a tensor with an encoding
// CHECK-LABEL: @encoding_stays
// CHECK: arith.addf
func.func @encoding_stays() -> tensor<2xf32, "column"> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, "column">
  %y = arith.addf %x, %x : tensor<2xf32, "column">
  return %y : tensor<2xf32, "column">
}

// -----

// REMARK: arith.addi not folded: is of a scalable vector
// CHECK-LABEL: @scalable_vector_stays
// CHECK: arith.addi
func.func @scalable_vector_stays() -> vector<[4]xi32> {
  %x = arith.constant dense<1> : vector<[4]xi32>
  %y = arith.addi %x, %x : vector<[4]xi32>
  return %y : vector<[4]xi32>
}

// -----

// CHECK-LABEL: @buffers_stay
// CHECK: linalg.fill
func.func @buffers_stay(%m: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%m : memref<4xf32>)
  return
}

// -----

// A mutable global may change; another is read, and its load stays where a
// constant would be a second copy of it.
// CHECK-LABEL: @globals
// CHECK: %[[LOAD:.*]] = ml_program.global_load_const @weights
// CHECK: arith.constant dense<[-1.000000e+00, -2.000000e+00]>
// CHECK: %[[STATE:.*]] = ml_program.global_load @state
// CHECK: arith.negf %[[STATE]]
// CHECK: return %[[LOAD]]
ml_program.global private @weights(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @state(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
func.func @globals() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %w = ml_program.global_load_const @weights : tensor<2xf32>
  %v = arith.negf %w : tensor<2xf32>
  %s = ml_program.global_load @state : tensor<2xf32>
  %t = arith.negf %s : tensor<2xf32>
  return %w, %v, %t : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @unknown_size_stays
// CHECK: tensor.dim
func.func @unknown_size_stays(%x: tensor<?xf32>) -> index {
  %zero = arith.constant 0 : index
  %d = tensor.dim %x, %zero : tensor<?xf32>
  return %d : index
}

// -----

// CHECK-LABEL: @known_size_folds
// CHECK: %[[C:.*]] = arith.constant 7 : index
// CHECK: return %[[C]]
func.func @known_size_folds(%x: tensor<?x7xf32>) -> index {
  %one = arith.constant 1 : index
  %d = tensor.dim %x, %one : tensor<?x7xf32>
  return %d : index
}

// -----

// REMARK: tensor.pad not folded: is marked 'nofold'
// CHECK-LABEL: @nofold_stays
// CHECK: tensor.pad
func.func @nofold_stays() -> tensor<3xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %y = tensor.pad %x nofold low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %y : tensor<3xf32>
}
