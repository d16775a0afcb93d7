// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy's integer operators; not taken from the tool.

// CHECK-LABEL: @bitwiseor_i8
// CHECK: onnx.Constant dense<[-1, -1, 85, -1]> : tensor<4xi8>
// CHECK-NEXT: return
func.func @bitwiseor_i8() -> tensor<4xi8> {
  %x = onnx.Constant dense<[-128, 127, 0, -1]> : tensor<4xi8>
  %y = onnx.Constant dense<[127, -2, 85, 51]> : tensor<4xi8>
  %r = onnx.BitwiseOr(%x, %y) <{since = 18}> : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: @bitwiseor_ui8_empty
// CHECK: onnx.Constant dense<> : tensor<0xui8>
// CHECK-NEXT: return
func.func @bitwiseor_ui8_empty() -> tensor<0xui8> {
  %x = onnx.Constant dense<> : tensor<0xui8>
  %y = onnx.Constant dense<[3]> : tensor<1xui8>
  %r = onnx.BitwiseOr(%x, %y) <{since = 18}> : (tensor<0xui8>, tensor<1xui8>) -> tensor<0xui8>
  return %r : tensor<0xui8>
}

// -----

// CHECK-LABEL: @bitwiseor_i32_shapes_stays
// CHECK: onnx.BitwiseOr(
func.func @bitwiseor_i32_shapes_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi32>
  // expected-remark @+1 {{onnx.BitwiseOr not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.BitwiseOr(%x, %y) <{since = 18}> : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @bitwiseor_f32_stays
// CHECK: onnx.BitwiseOr(
func.func @bitwiseor_f32_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BitwiseOr not folded: input #0 ('A') is tensor<2xf32>, expected one of}}
  %r = onnx.BitwiseOr(%x, %y) <{since = 18}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
