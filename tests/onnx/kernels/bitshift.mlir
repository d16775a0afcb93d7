// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: Python's integers, masked to the width, by the text of the two versions. Version 11 does
// not define a shift by the width or more; version 28 does, and has signed integers.

// CHECK-LABEL: @bitshift_ui8_left_v11
// CHECK: onnx.Constant dense<[32, 240, 128]> : tensor<3xui8>
// CHECK-NEXT: return
func.func @bitshift_ui8_left_v11() -> tensor<3xui8> {
  %x = onnx.Constant dense<[16, 255, 1]> : tensor<3xui8>
  %y = onnx.Constant dense<[1, 4, 7]> : tensor<3xui8>
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "LEFT"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  return %r : tensor<3xui8>
}

// -----

// CHECK-LABEL: @bitshift_ui64_right_v11
// CHECK: onnx.Constant dense<[1, 4611686018427387904]> : tensor<2xui64>
// CHECK-NEXT: return
func.func @bitshift_ui64_right_v11() -> tensor<2xui64> {
  %x = onnx.Constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %y = onnx.Constant dense<[63, 1]> : tensor<2xui64>
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "RIGHT"} : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

// CHECK-LABEL: @bitshift_ui16_left_v28
// CHECK: onnx.Constant dense<[32768, 0, 0]> : tensor<3xui16>
// CHECK-NEXT: return
func.func @bitshift_ui16_left_v28() -> tensor<3xui16> {
  %x = onnx.Constant dense<[65535, 1, 3]> : tensor<3xui16>
  %y = onnx.Constant dense<[15, 16, 65535]> : tensor<3xui16>
  %r = onnx.BitShift(%x, %y) <{since = 28}> {direction = "LEFT"} : (tensor<3xui16>, tensor<3xui16>) -> tensor<3xui16>
  return %r : tensor<3xui16>
}

// -----

// Arithmetic; beyond the width and for negative counts the sign alone is left.
// CHECK-LABEL: @bitshift_i8_right_v28
// CHECK: onnx.Constant dense<[-1, -1, 0, -1, 0, -1]> : tensor<6xi8>
// CHECK-NEXT: return
func.func @bitshift_i8_right_v28() -> tensor<6xi8> {
  %x = onnx.Constant dense<[-128, -128, 127, -1, 5, -5]> : tensor<6xi8>
  %y = onnx.Constant dense<[7, 8, 8, 100, -1, -1]> : tensor<6xi8>
  %r = onnx.BitShift(%x, %y) <{since = 28}> {direction = "RIGHT"} : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// CHECK-LABEL: @bitshift_ui8_rank0
// CHECK: onnx.Constant dense<3> : tensor<ui8>
// CHECK-NEXT: return
func.func @bitshift_ui8_rank0() -> tensor<ui8> {
  %x = onnx.Constant dense<12> : tensor<ui8>
  %y = onnx.Constant dense<2> : tensor<ui8>
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "RIGHT"} : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  return %r : tensor<ui8>
}

// -----

// CHECK-LABEL: @bitshift_ui8_empty
// CHECK: onnx.Constant dense<> : tensor<0xui8>
// CHECK-NEXT: return
func.func @bitshift_ui8_empty() -> tensor<0xui8> {
  %x = onnx.Constant dense<> : tensor<0xui8>
  %y = onnx.Constant dense<[2]> : tensor<1xui8>
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "RIGHT"} : (tensor<0xui8>, tensor<1xui8>) -> tensor<0xui8>
  return %r : tensor<0xui8>
}

// -----

// CHECK-LABEL: @bitshift_ui8_v11_width_stays
// CHECK: onnx.BitShift(
func.func @bitshift_ui8_v11_width_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 1]> : tensor<2xui8>
  %y = onnx.Constant dense<[7, 8]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.BitShift not folded: shift [1] is not less than the bits of}}
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "LEFT"} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @bitshift_ui8_direction_stays
// CHECK: onnx.BitShift(
func.func @bitshift_ui8_direction_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 1]> : tensor<2xui8>
  %y = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.BitShift not folded: attribute 'direction' is 'UP', expected 'LEFT' or 'RIGHT'}}
  %r = onnx.BitShift(%x, %y) <{since = 28}> {direction = "UP"} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @bitshift_i8_v11_stays
// CHECK: onnx.BitShift(
func.func @bitshift_i8_v11_stays() -> tensor<2xi8> {
  %x = onnx.Constant dense<[1, 1]> : tensor<2xi8>
  %y = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  // expected-remark @+1 {{onnx.BitShift not folded: input #0 ('X') is tensor<2xi8>, expected one of}}
  %r = onnx.BitShift(%x, %y) <{since = 11}> {direction = "LEFT"} : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}
