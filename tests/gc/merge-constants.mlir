// Constants of equal value are one after CSE, though their attributes bypass the uniquer.
// RUN: fold-opt %s -merge-constants -cse -split-input-file | FileCheck %s
// RUN: fold-opt %s -cse -split-input-file | FileCheck %s -check-prefix=APART

// CHECK-LABEL: @equal
// CHECK-COUNT-2: arith.constant
// CHECK-NOT: arith.constant
// CHECK: return %[[X:.*]], %[[X]], %[[Y:.*]] :
// APART-LABEL: @equal
// APART-COUNT-3: arith.constant
func.func @equal() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %0 = arith.constant #elements.dense<[1, 2, 3]> : tensor<3xi32>
  %1 = arith.constant #elements.dense<"0x010000000200000003000000"> : tensor<3xi32>
  %2 = arith.constant #elements.dense<[1, 2, 4]> : tensor<3xi32>
  return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// -----

// Ordinary attributes are preferred.
// CHECK-LABEL: @dense
// CHECK: %[[X:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK: return %[[X]], %[[X]]
func.func @dense() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.constant #elements.dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Equal bytes of another type, and values that nobody knows.
// CHECK-LABEL: @different_stay
// CHECK-COUNT-4: arith.constant
func.func @different_stay() -> (tensor<2xi32>, tensor<1x2xi32>, tensor<9xi8>, tensor<9xi8>) {
  %0 = arith.constant #elements.dense<[1, 2]> : tensor<2xi32>
  %1 = arith.constant #elements.dense<[[1, 2]]> : tensor<1x2xi32>
  %2 = arith.constant #elements.dense<__elided__> : tensor<9xi8>
  %3 = arith.constant #elements.dense<__elided__> : tensor<9xi8>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<1x2xi32>, tensor<9xi8>, tensor<9xi8>
}
