// RUN: fold-opt -constprop -split-input-file --remarks-filter-missed=constprop %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// What TOSA's specification leaves undefined is kept, each with its reason.

// WHY: element [0] is 2147483648, which i32 cannot hold
// CHECK-LABEL: @add_i32_overflow_stays
// CHECK: tosa.add
func.func @add_i32_overflow_stays() -> tensor<1xi32> {
  %x = arith.constant dense<2147483647> : tensor<1xi32>
  %y = arith.constant dense<1> : tensor<1xi32>
  %r = tosa.add %x, %y : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// WHY: element [1] divides by 0
// CHECK-LABEL: @intdiv_by_zero_stays
// CHECK: tosa.intdiv
func.func @intdiv_by_zero_stays() -> tensor<2xi32> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %y = arith.constant dense<[3, 0]> : tensor<2xi32>
  %r = tosa.intdiv %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// WHY: element [0] is 2147483648, which i32 cannot hold
// CHECK-LABEL: @intdiv_overflow_stays
// CHECK: tosa.intdiv
func.func @intdiv_overflow_stays() -> tensor<1xi32> {
  %x = arith.constant dense<-2147483648> : tensor<1xi32>
  %y = arith.constant dense<-1> : tensor<1xi32>
  %r = tosa.intdiv %x, %y : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// WHY: element [1] shifts by 8 of 8 bits
// CHECK-LABEL: @shift_by_the_width_stays
// CHECK: tosa.logical_left_shift
func.func @shift_by_the_width_stays() -> tensor<2xi8> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi8>
  %y = arith.constant dense<[3, 8]> : tensor<2xi8>
  %r = tosa.logical_left_shift %x, %y : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// WHY: element [0] is not a number
// CHECK-LABEL: @cast_of_nan_stays
// CHECK: tosa.cast
func.func @cast_of_nan_stays() -> tensor<1xi32> {
  %x = arith.constant dense<0x7FC00000> : tensor<1xf32>
  %r = tosa.cast %x : (tensor<1xf32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// WHY: index [0, 1] is 2 of 2
// CHECK-LABEL: @gather_outside_stays
// CHECK: tosa.gather
func.func @gather_outside_stays() -> tensor<1x2x1xi32> {
  %x = arith.constant dense<[[[1], [2]]]> : tensor<1x2x1xi32>
  %i = arith.constant dense<[[0, 2]]> : tensor<1x2xi32>
  %r = tosa.gather %x, %i : (tensor<1x2x1xi32>, tensor<1x2xi32>) -> tensor<1x2x1xi32>
  return %r : tensor<1x2x1xi32>
}

// -----

// WHY: index [0, 1] is there twice
// CHECK-LABEL: @scatter_twice_stays
// CHECK: tosa.scatter
func.func @scatter_twice_stays() -> tensor<1x2x1xi32> {
  %x = arith.constant dense<[[[1], [2]]]> : tensor<1x2x1xi32>
  %i = arith.constant dense<[[1, 1]]> : tensor<1x2xi32>
  %r = tosa.scatter %x, %i, %x : (tensor<1x2x1xi32>, tensor<1x2xi32>, tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  return %r : tensor<1x2x1xi32>
}

// -----

// WHY: its rounding mode leaves the result open
// CHECK-LABEL: @inexact_rescale_stays
// CHECK: tosa.rescale
func.func @inexact_rescale_stays() -> tensor<1xi8> {
  %x = arith.constant dense<100> : tensor<1xi32>
  %m = arith.constant dense<1073741824> : tensor<1xi32>
  %s = arith.constant dense<31> : tensor<1xi8>
  %a = arith.constant dense<0> : tensor<1xi32>
  %b = arith.constant dense<0> : tensor<1xi8>
  %r = tosa.rescale %x, %m, %s, %a, %b {scale32 = true, rounding_mode = INEXACT_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1xi8>
  return %r : tensor<1xi8>
}

// -----

// WHY: the window of element [0, 0, 0, 0] has NaNs alone
// CHECK-LABEL: @window_of_nans_stays
// CHECK: tosa.max_pool2d
func.func @window_of_nans_stays() -> tensor<1x1x1x1xf32> {
  %x = arith.constant dense<0x7FC00000> : tensor<1x2x2x1xf32>
  %r = tosa.max_pool2d %x {nan_mode = IGNORE, kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>}
      : (tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// WHY: is of a tensor with an encoding
// CHECK-LABEL: @encoding_stays
// CHECK: tosa.ceil
func.func @encoding_stays() -> tensor<2xf32, "blocked"> {
  %x = arith.constant dense<[1.5, -2.0]> : tensor<2xf32, "blocked">
  %r = tosa.ceil %x : (tensor<2xf32, "blocked">) -> tensor<2xf32, "blocked">
  return %r : tensor<2xf32, "blocked">
}

// -----

// CHECK-LABEL: @unknown_input_stays
// CHECK: tosa.ceil
func.func @unknown_input_stays(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = tosa.ceil %x : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
