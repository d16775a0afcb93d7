// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, window by window.

// 27 + 64 + 125 = 216.
// CHECK-LABEL: @lppool_3
// CHECK{LITERAL}: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK-NEXT: return
func.func @lppool_3() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 4.000000e+00, 5.000000e+00]]]> : tensor<1x1x3xf32>
  %r = onnx.LpPool(%x0) <{since = 18}> {kernel_shape = array<i64: 3>, p = 3 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @lppool_ceil
// CHECK{LITERAL}: onnx.Constant dense<[[[5.000000e+00, 8.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @lppool_ceil() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, 4.000000e+00, 8.000000e+00]]]> : tensor<1x1x3xf32>
  %r = onnx.LpPool(%x0) <{since = 18}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// Squares of f32 overflow in f32.
// CHECK-LABEL: @lppool_large
// CHECK{LITERAL}: onnx.Constant dense<5.000000e+30> : tensor<1x1x1xf32>
// CHECK-NEXT: return
func.func @lppool_large() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+30, 4.000000e+30]]]> : tensor<1x1x2xf32>
  %r = onnx.LpPool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @lppool_p_0_stays
// CHECK: onnx.LpPool(
func.func @lppool_p_0_stays() -> tensor<1x1x5xf32> {
  %x0 = onnx.Constant dense<[[[3.000000e+00, -4.000000e+00, 0.000000e+00, 5.000000e+00, 1.200000e+01, -1.000000e+00]]]> : tensor<1x1x6xf32>
  // expected-remark @+1 {{onnx.LpPool not folded: attribute 'p' is not a positive number}}
  %r = onnx.LpPool(%x0) <{since = 18}> {kernel_shape = array<i64: 2>, p = 0 : i64} : (tensor<1x1x6xf32>) -> tensor<1x1x5xf32>
  return %r : tensor<1x1x5xf32>
}
