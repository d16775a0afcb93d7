// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// CHECK-LABEL: @ceil_f32_special
// CHECK: onnx.Constant dense<[-1.000000e+00, -0.000000e+00, -0.000000e+00, 1.000000e+00, 3.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @ceil_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-1.500000e+00, -5.000000e-01, -0.000000e+00, 5.000000e-01, 2.500000e+00, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Ceil(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @ceil_f64_beyond_integers
// CHECK: onnx.Constant dense<[1.000000e+300, 0xC32FFFFFFFFFFFFE]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @ceil_f64_beyond_integers() -> tensor<2xf64> {
  %x = onnx.Constant dense<[1.000000e+300, -4503599627370495.5]> : tensor<2xf64>
  %r = onnx.Ceil(%x) <{since = 13}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @ceil_f32_v1
// CHECK: onnx.Constant dense<[2.000000e+00, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @ceil_f32_v1() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.250000e+00, -1.250000e+00]> : tensor<2xf32>
  %r = onnx.Ceil(%x) <{since = 1}> {consumed_inputs = array<i64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @ceil_i32_stays
// CHECK: onnx.Ceil(
func.func @ceil_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Ceil not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Ceil(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
