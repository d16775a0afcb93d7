// RUN: fold-opt %s --constprop --fold-quantization --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// -128 - 127 does not fit i8.
// CHECK-LABEL: @dequantizelinear_i8_beyond_i8
// CHECK: onnx.Constant dense<[-5.100000e+02, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_i8_beyond_i8() -> tensor<2xf32> {
  %x = onnx.Constant dense<[-128, 127]> : tensor<2xi8>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<127> : tensor<i8>
  %r = onnx.DequantizeLinear(%x, %y, %z) <{since = 10}> : (tensor<2xi8>, tensor<f32>, tensor<i8>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_ui8_no_zero_point
// CHECK: onnx.Constant dense<[0.000000e+00, 1.275000e+02]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_ui8_no_zero_point() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0, 255]> : tensor<2xui8>
  %y = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 13}> : (tensor<2xui8>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i16_blocks
// CHECK: onnx.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 2.000000e+01, 3.000000e+01]]> : tensor<1x4xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_i16_blocks() -> tensor<1x4xf32> {
  %x = onnx.Constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi16>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+01]]> : tensor<1x2xf32>
  %z = onnx.Constant dense<[[0, 1]]> : tensor<1x2xi16>
  %r = onnx.DequantizeLinear(%x, %y, %z) <{since = 21}> {block_size = 2 : i64} : (tensor<1x4xi16>, tensor<1x2xf32>, tensor<1x2xi16>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_ui4_bf16
// CHECK: onnx.Constant dense<[3.000000e+01, 6.000000e+00]> : tensor<2xbf16>
// CHECK-NEXT: return
func.func @dequantizelinear_ui4_bf16() -> tensor<2xbf16> {
  %x = onnx.Constant dense<[15, 3]> : tensor<2xui4>
  %y = onnx.Constant dense<2.000000e+00> : tensor<bf16>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 21}> : (tensor<2xui4>, tensor<bf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: @dequantizelinear_i2
// CHECK: onnx.Constant dense<[-6.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_i2() -> tensor<2xf32> {
  %x = onnx.Constant dense<[-2, 1]> : tensor<2xi2>
  %y = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 25}> : (tensor<2xi2>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_f8E5M2
// CHECK: onnx.Constant dense<[3.000000e+00, 0x7F800000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_f8E5M2() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.500000e+00, 0x7C]> : tensor<2xf8E5M2>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 19}> : (tensor<2xf8E5M2>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_f4E2M1FN
// CHECK: onnx.Constant dense<[1.200000e+01, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_f4E2M1FN() -> tensor<2xf32> {
  %x = onnx.Constant dense<[6.000000e+00, -5.000000e-01]> : tensor<2xf4E2M1FN>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 23}> : (tensor<2xf4E2M1FN>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_output_dtype
// CHECK: onnx.Constant dense<[3.0004{{[0-9]+}}e-01, -3.9990{{[0-9]+}}e-01]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @dequantizelinear_i8_output_dtype() -> tensor<2xf16> {
  %x = onnx.Constant dense<[3, -4]> : tensor<2xi8>
  %y = onnx.Constant dense<1.000000e-01> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 23}> {output_dtype = 10 : i64} : (tensor<2xi8>, tensor<f32>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_e8m0_scale
// CHECK: onnx.Constant dense<[1.200000e+01, -1.600000e+01]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_i8_e8m0_scale() -> tensor<2xf32> {
  %x = onnx.Constant dense<[3, -4]> : tensor<2xi8>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f8E8M0FNU>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 24}> {output_dtype = 1 : i64} : (tensor<2xi8>, tensor<f8E8M0FNU>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_empty
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @dequantizelinear_i8_empty() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0xi8>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.DequantizeLinear(%x, %y) <{since = 13}> : (tensor<0xi8>, tensor<f32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_scales_mismatch_stays
// CHECK: onnx.DequantizeLinear(
func.func @dequantizelinear_i8_scales_mismatch_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[1, 2]]> : tensor<1x2xi8>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.DequantizeLinear not folded: scale has shape [3], expected [2]}}
  %r = onnx.DequantizeLinear(%x, %y) <{since = 13}> : (tensor<1x2xi8>, tensor<3xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_scales_of_v10_stays
// CHECK: onnx.DequantizeLinear(
func.func @dequantizelinear_i8_scales_of_v10_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[1, 2]]> : tensor<1x2xi8>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.DequantizeLinear not folded: the scale has shape [2], expected a scalar}}
  %r = onnx.DequantizeLinear(%x, %y) <{since = 10}> : (tensor<1x2xi8>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_i8_zero_point_type_stays
// CHECK: onnx.DequantizeLinear(
func.func @dequantizelinear_i8_zero_point_type_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<ui8>
  // expected-remark @+1 {{onnx.DequantizeLinear not folded: input #2 ('x_zero_point') is tensor<ui8>, expected tensor(int8) as input #0}}
  %r = onnx.DequantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<2xi8>, tensor<f32>, tensor<ui8>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
