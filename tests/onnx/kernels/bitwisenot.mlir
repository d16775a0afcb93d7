// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy's integer operators; not taken from the tool.

// CHECK-LABEL: @bitwisenot_i8
// CHECK: onnx.Constant dense<[127, -128, -1]> : tensor<3xi8>
// CHECK-NEXT: return
func.func @bitwisenot_i8() -> tensor<3xi8> {
  %x = onnx.Constant dense<[-128, 127, 0]> : tensor<3xi8>
  %r = onnx.BitwiseNot(%x) <{since = 18}> : (tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// -----

// CHECK-LABEL: @bitwisenot_i32_empty
// CHECK: onnx.Constant dense<> : tensor<3x0xi32>
// CHECK-NEXT: return
func.func @bitwisenot_i32_empty() -> tensor<3x0xi32> {
  %x = onnx.Constant dense<> : tensor<3x0xi32>
  %r = onnx.BitwiseNot(%x) <{since = 18}> : (tensor<3x0xi32>) -> tensor<3x0xi32>
  return %r : tensor<3x0xi32>
}

// -----

// CHECK-LABEL: @bitwisenot_f32_stays
// CHECK: onnx.BitwiseNot(
func.func @bitwisenot_f32_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BitwiseNot not folded: input #0 ('X') is tensor<2xf32>, expected one of}}
  %r = onnx.BitwiseNot(%x) <{since = 18}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
