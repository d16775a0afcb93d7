// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Float8 types have NaN too; infinities are none.

// CHECK-LABEL: @isnan_f32
// CHECK: onnx.Constant dense<[true, false, false, false, false]> : tensor<5xi1>
// CHECK-NEXT: return
func.func @isnan_f32() -> tensor<5xi1> {
  %x = onnx.Constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000e+00, 1.000000e+00]> : tensor<5xf32>
  %r = onnx.IsNaN(%x) <{since = 20}> : (tensor<5xf32>) -> tensor<5xi1>
  return %r : tensor<5xi1>
}

// -----

// CHECK-LABEL: @isnan_i32_stays
// CHECK: onnx.IsNaN(
func.func @isnan_i32_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.IsNaN not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.IsNaN(%x) <{since = 20}> : (tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
