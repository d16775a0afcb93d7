// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s
// RUN: fold-opt -constprop --remarks-filter-missed=constprop %s 2>&1 >%t.out | FileCheck %s --check-prefix=WHY

// Functions of CHLO whose values are rounded exactly.

// CHECK-LABEL: @lgamma_f64
// CHECK: dense<[0x7FF0000000000000, 0.000000e+00, 0.57236494292470008]> : tensor<3xf64>
func.func @lgamma_f64() -> tensor<3xf64> {
  %x = stablehlo.constant dense<[-3.0, 2.0, 0.5]> : tensor<3xf64>
  %r = chlo.lgamma %x : tensor<3xf64> -> tensor<3xf64>
  return %r : tensor<3xf64>
}

// CHECK-LABEL: @digamma_f32
// CHECK: dense<[0x7FC00000, -0.577215672]> : tensor<2xf32>
func.func @digamma_f32() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = chlo.digamma %x : tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @bessel_i1e_bf16
// CHECK: dense<[0.000000e+00, -2.080080e-01]> : tensor<2xbf16>
func.func @bessel_i1e_bf16() -> tensor<2xbf16> {
  %x = stablehlo.constant dense<[0.0, -1.0]> : tensor<2xbf16>
  %r = chlo.bessel_i1e %x : tensor<2xbf16> -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// CHECK-LABEL: @broadcast_zeta_f64
// CHECK: dense<[1.6449340668482264, 0.64493406684822641]> : tensor<2xf64>
func.func @broadcast_zeta_f64() -> tensor<2xf64> {
  %x = stablehlo.constant dense<2.0> : tensor<f64>
  %q = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = chlo.broadcast_zeta %x, %q : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// WHY: chlo.zeta not folded: the series is left open from 0 down
// CHECK-LABEL: @zeta_of_0_stays
// CHECK: "chlo.zeta"
func.func @zeta_of_0_stays() -> tensor<2xf32> {
  %x = stablehlo.constant dense<2.0> : tensor<2xf32>
  %q = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %r = chlo.zeta %x, %q : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Derivative 0 is digamma, which is defined below 0 too.
// CHECK-LABEL: @polygamma_0_below_0
// CHECK: dense<0.0364899747> : tensor<1xf32>
func.func @polygamma_0_below_0() -> tensor<1xf32> {
  %n = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %x = stablehlo.constant dense<[-0.5]> : tensor<1xf32>
  %r = chlo.polygamma %n, %x : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// WHY: chlo.polygamma not folded: the series is left open from 0 down
// CHECK-LABEL: @polygamma_1_below_0_stays
// CHECK: "chlo.polygamma"
func.func @polygamma_1_below_0_stays() -> tensor<1xf32> {
  %n = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %x = stablehlo.constant dense<[-0.5]> : tensor<1xf32>
  %r = chlo.polygamma %n, %x : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// Zeros of both signs are equal: the result is the second operand.
// CHECK-LABEL: @next_after_f16
// CHECK: dense<[0x7E00, -0.000000e+00, -5.960460e-08, 1.000980e+00, -9.995110e-01, 6.550400e+04, 0x7C00]> : tensor<7xf16>
func.func @next_after_f16() -> tensor<7xf16> {
  %x = stablehlo.constant dense<[0x7E01, 0.0, 0.0, 1.0, -1.0, 0x7C00, 65504.0]> : tensor<7xf16>
  %y = stablehlo.constant dense<[1.0, -0.0, -1.0, 2.0, 1.0, 0.0, 0x7C00]> : tensor<7xf16>
  %r = chlo.next_after %x, %y : tensor<7xf16>, tensor<7xf16> -> tensor<7xf16>
  return %r : tensor<7xf16>
}

// CHECK-LABEL: @mulhi_i8
// CHECK: dense<[64, -64, -1, 0]> : tensor<4xi8>
func.func @mulhi_i8() -> tensor<4xi8> {
  %x = stablehlo.constant dense<[-128, -128, -1, 2]> : tensor<4xi8>
  %y = stablehlo.constant dense<[-128, 127, 2, 3]> : tensor<4xi8>
  %r = chlo.mulhi %x, %y : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// CHECK-LABEL: @mulhi_ui64
// CHECK: dense<18446744073709551614> : tensor<1xui64>
func.func @mulhi_ui64() -> tensor<1xui64> {
  %x = stablehlo.constant dense<[18446744073709551615]> : tensor<1xui64>
  %r = chlo.mulhi %x, %x : tensor<1xui64>, tensor<1xui64> -> tensor<1xui64>
  return %r : tensor<1xui64>
}

// CHECK-LABEL: @mulhi_i4
// CHECK: dense<[3, -3]> : tensor<2xi4>
func.func @mulhi_i4() -> tensor<2xi4> {
  %x = stablehlo.constant dense<[7, -7]> : tensor<2xi4>
  %y = stablehlo.constant dense<[7, 6]> : tensor<2xi4>
  %r = chlo.mulhi %x, %y : tensor<2xi4>, tensor<2xi4> -> tensor<2xi4>
  return %r : tensor<2xi4>
}

// CHECK-LABEL: @constant
// CHECK: dense<[1, 2]> : tensor<2xi32>
func.func @constant() -> tensor<2xi32> {
  %r = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  return %r : tensor<2xi32>
}
