// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. NaN stays NaN, as numpy has it.

// CHECK-LABEL: @sign_f32_special
// CHECK: onnx.Constant dense<[-1.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, -1.000000e+00, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @sign_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-1.500000e+00, -0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Sign(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @sign_i8
// CHECK: onnx.Constant dense<[-1, -1, 0, 1]> : tensor<4xi8>
// CHECK-NEXT: return
func.func @sign_i8() -> tensor<4xi8> {
  %x = onnx.Constant dense<[-128, -1, 0, 127]> : tensor<4xi8>
  %r = onnx.Sign(%x) <{since = 9}> : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: @sign_i1_stays
// CHECK: onnx.Sign(
func.func @sign_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Sign not folded: input #0 ('input') is tensor<2xi1>, expected one of}}
  %r = onnx.Sign(%x) <{since = 13}> : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// ONNX Runtime makes 0 of it in halves alone.
// CHECK-LABEL: @sign_f16_nan_stays
// CHECK: onnx.Sign(
func.func @sign_f16_nan_stays() -> tensor<2xf16> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7E00]> : tensor<2xf16>
  // expected-remark @+1 {{onnx.Sign not folded: element [1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.Sign(%x) <{since = 13}> : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}
