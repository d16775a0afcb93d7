// RUN: fold-opt -constprop -split-input-file --remarks-filter-missed=constprop %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// Results that are poison or undefined: one element is enough, the whole stays.

// WHY: arith.addi{{.*}}element [1] {{.*}}which nsw makes poison
// CHECK-LABEL: @nsw_overflow_stays
// CHECK: arith.addi
func.func @nsw_overflow_stays() -> tensor<2xi8> {
  %x = arith.constant dense<[1, 127]> : tensor<2xi8>
  %one = arith.constant dense<1> : tensor<2xi8>
  %r = arith.addi %x, %one overflow<nsw> : tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// The same without the flag wraps.
// CHECK-LABEL: @wraps
// CHECK: arith.constant dense<[2, -128]> : tensor<2xi8>
// CHECK-NOT: arith.addi
func.func @wraps() -> tensor<2xi8> {
  %x = arith.constant dense<[1, 127]> : tensor<2xi8>
  %one = arith.constant dense<1> : tensor<2xi8>
  %r = arith.addi %x, %one : tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// WHY: arith.subf{{.*}}element [1] is not finite, which a fast-math flag makes poison
// CHECK-LABEL: @nan_under_nnan_stays
// CHECK: arith.subf
func.func @nan_under_nnan_stays() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
  %r = arith.subf %x, %x fastmath<nnan> : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @nan_without_a_flag_folds
// CHECK: arith.constant dense<[0.000000e+00, 0x{{[7F]}}FC00000]> : tensor<2xf32>
func.func @nan_without_a_flag_folds() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 0x7F800000]> : tensor<2xf32>
  %r = arith.subf %x, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// WHY: math.log{{.*}}makes poison
// CHECK-LABEL: @infinity_under_fast_stays
// CHECK: math.log
func.func @infinity_under_fast_stays() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %r = math.log %x fastmath<fast> : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// WHY: arith.shli{{.*}}element [0] is shifted by its width
// CHECK-LABEL: @shift_by_the_width_stays
// CHECK: arith.shli
func.func @shift_by_the_width_stays() -> tensor<2xi8> {
  %x = arith.constant dense<[8, 1]> : tensor<2xi8>
  %r = arith.shli %x, %x : tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// WHY: arith.scaling_extf{{.*}}scale [1] is not a power of two
// CHECK-LABEL: @scale_of_three_stays
// CHECK: arith.scaling_extf
func.func @scale_of_three_stays() -> tensor<2xf32> {
  %x = arith.constant dense<[1.0, 1.0]> : tensor<2xf16>
  %s = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %r = arith.scaling_extf %x, %s : tensor<2xf16>, tensor<2xf32> to tensor<2xf32>
  return %r : tensor<2xf32>
}
