// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// CHECK-LABEL: @reciprocal_f32_special
// CHECK: onnx.Constant dense<[5.000000e-01, -0.33333334{{[0-9]*}}, 0x7F800000, 0xFF800000, 0.000000e+00, -0.000000e+00, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @reciprocal_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[2.000000e+00, -3.000000e+00, 0.000000e+00, -0.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Reciprocal(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @reciprocal_f16_rounds_once
// CHECK: onnx.Constant dense<[3.3325{{[0-9]+}}e-01, 1.000000e+01]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @reciprocal_f16_rounds_once() -> tensor<2xf16> {
  %x = onnx.Constant dense<[3.000000e+00, 9.997560e-02]> : tensor<2xf16>
  %r = onnx.Reciprocal(%x) <{since = 6}> : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @reciprocal_i32_stays
// CHECK: onnx.Reciprocal(
func.func @reciprocal_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Reciprocal not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Reciprocal(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
