// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. NaN stays NaN and -0 becomes 0, as numpy.maximum(x, 0) has it.

// CHECK-LABEL: @relu_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0.000000e+00, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @relu_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-1.500000e+00, -0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Relu(%x) <{since = 14}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @relu_i8
// CHECK: onnx.Constant dense<[0, 0, 127]> : tensor<3xi8>
// CHECK-NEXT: return
func.func @relu_i8() -> tensor<3xi8> {
  %x = onnx.Constant dense<[-128, 0, 127]> : tensor<3xi8>
  %r = onnx.Relu(%x) <{since = 14}> : (tensor<3xi8>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// -----

// CHECK-LABEL: @relu_bf16_v13
// CHECK: onnx.Constant dense<[0.000000e+00, 0x7FC0]> : tensor<2xbf16>
// CHECK-NEXT: return
func.func @relu_bf16_v13() -> tensor<2xbf16> {
  %x = onnx.Constant dense<[-1.000000e+00, 0x7FC0]> : tensor<2xbf16>
  %r = onnx.Relu(%x) <{since = 13}> : (tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: @relu_f64_v1
// CHECK: onnx.Constant dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @relu_f64_v1() -> tensor<2xf64> {
  %x = onnx.Constant dense<[-1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %r = onnx.Relu(%x) <{since = 1}> {consumed_inputs = array<i64: 0>} : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @relu_ui8_stays
// CHECK: onnx.Relu(
func.func @relu_ui8_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Relu not folded: input #0 ('X') is tensor<2xui8>, expected one of}}
  %r = onnx.Relu(%x) <{since = 14}> : (tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @relu_ui8_of_unknown_type_stays
// CHECK: onnx.Relu(
func.func @relu_ui8_of_unknown_type_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Cast(%x) <{since = 1}> {to = "UINT8"} : (tensor<2xf32>) -> !onnx.unknown
  // expected-remark @+1 {{onnx.Relu not folded: input #0 ('X') is tensor<2xui8>, expected one of}}
  %r = onnx.Relu(%y) <{since = 14}> : (!onnx.unknown) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
