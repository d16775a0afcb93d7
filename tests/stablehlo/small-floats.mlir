// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s

// Floats of 8 bits are computed in wider types and rounded once; the values are XLA's.

// Numbers were rounded up to f8E8M0, as ONNX's Cast does: 2.5 became 4, and 2.4e+38 NaN.
// CHECK-LABEL: @convert_f8E8M0_to_nearest
// CHECK-NEXT: stablehlo.constant dense<[2.000000e+00, 4.000000e+00, 4.000000e+00, 0xFF, 1.701410e+38, 0xFF]>
func.func @convert_f8E8M0_to_nearest() -> tensor<6xf8E8M0FNU> {
  %x = stablehlo.constant dense<[2.5, 3.0, 3.5, -1.0, 2.4e+38, 2.6e+38]> : tensor<6xf32>
  %r = "stablehlo.convert"(%x) : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  return %r : tensor<6xf8E8M0FNU>
}

// 448 is the largest number, and there is no infinity.
// CHECK-LABEL: @add_f8E4M3FN_overflow
// CHECK-NEXT: stablehlo.constant dense<[3.750000e+00, 4.480000e+02, 0x7F]>
func.func @add_f8E4M3FN_overflow() -> tensor<3xf8E4M3FN> {
  %x = stablehlo.constant dense<[3.5, 448.0, 448.0]> : tensor<3xf8E4M3FN>
  %y = stablehlo.constant dense<[0.34375, 8.0, 448.0]> : tensor<3xf8E4M3FN>
  %r = "stablehlo.add"(%x, %y) : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN>
  return %r : tensor<3xf8E4M3FN>
}

// CHECK-LABEL: @exponential_f8E5M2
// CHECK-NEXT: stablehlo.constant dense<[1.000000e+00, 2.500000e+00, 0x7C]>
func.func @exponential_f8E5M2() -> tensor<3xf8E5M2> {
  %x = stablehlo.constant dense<[0.0, 1.0, 16.0]> : tensor<3xf8E5M2>
  %r = "stablehlo.exponential"(%x) : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  return %r : tensor<3xf8E5M2>
}

// CHECK-LABEL: @reduce_f8E4M3FN_maximum
// CHECK-NEXT: stablehlo.constant dense<1.600000e+01>
func.func @reduce_f8E4M3FN_maximum() -> tensor<f8E4M3FN> {
  %x = stablehlo.constant dense<[16.0, 1.0, 1.0]> : tensor<3xf8E4M3FN>
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %r = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %m = "stablehlo.maximum"(%a, %b) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    "stablehlo.return"(%m) : (tensor<f8E4M3FN>) -> ()
  }) : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %r : tensor<f8E4M3FN>
}

// The sum is rounded once, as XLA's: 16 + 1 is 16 of this type.
// CHECK-LABEL: @dot_f8E4M3FN
// CHECK-NEXT: stablehlo.constant dense<1.800000e+01>
func.func @dot_f8E4M3FN() -> tensor<f8E4M3FN> {
  %x = stablehlo.constant dense<[16.0, 1.0, 1.0]> : tensor<3xf8E4M3FN>
  %y = stablehlo.constant dense<1.0> : tensor<3xf8E4M3FN>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<f8E4M3FN>
  return %r : tensor<f8E4M3FN>
}

// XLA has 2^-126 for numbers a little above 2^-127, which are kept; the number itself is exact.
// CHECK-LABEL: @convert_to_the_smallest_f8E8M0
// CHECK-NEXT: stablehlo.constant dense<5.877470e-39>
func.func @convert_to_the_smallest_f8E8M0() -> tensor<f8E8M0FNU> {
  %x = stablehlo.constant dense<0x3800000000000000> : tensor<f64>
  %r = "stablehlo.convert"(%x) : (tensor<f64>) -> tensor<f8E8M0FNU>
  return %r : tensor<f8E8M0FNU>
}
