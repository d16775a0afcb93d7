// RUN: fold-opt %s --constprop --fold-quantization --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Rounds x / scale to even, then adds the zero point, then saturates.

// 3 / 2 and 1 / 2 round to even; rounding after the zero point would too, here, but not for an odd
// one:
// CHECK-LABEL: @quantizelinear_f32_ui8
// CHECK: onnx.Constant dense<[128, 129, 130, 255, 1, 0, 128, 128]> : tensor<8xui8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_ui8() -> tensor<8xui8> {
  %x = onnx.Constant dense<[0.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+03, -2.540000e+02, -1.000000e+03, 1.000000e+00, -1.000000e+00]> : tensor<8xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 10}> : (tensor<8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8xui8>
  return %r : tensor<8xui8>
}

// -----

// round(0.5) + 1 = 1, not round(1.5) = 2.
// CHECK-LABEL: @quantizelinear_f32_i8_odd_zero_point
// CHECK: onnx.Constant dense<[1, 3, 1, 127]> : tensor<4xi8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_i8_odd_zero_point() -> tensor<4xi8> {
  %x = onnx.Constant dense<[1.000000e+00, 3.000000e+00, -1.000000e+00, 3.000000e+02]> : tensor<4xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<1> : tensor<i8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_ui8_no_zero_point
// CHECK: onnx.Constant dense<[0, 5, 255]> : tensor<3xui8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_ui8_no_zero_point() -> tensor<3xui8> {
  %x = onnx.Constant dense<[-1.000000e+00, 5.000000e+00, 3.000000e+02]> : tensor<3xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.QuantizeLinear(%x, %y) <{since = 10}> : (tensor<3xf32>, tensor<f32>) -> tensor<3xui8>
  return %r : tensor<3xui8>
}

// -----

// Axis 1 is the default. 2 / 2 + 1 = 2, 3 / 4 rounds to 1, 5 / 2 to 2, 6 / 4 to 2.
// CHECK-LABEL: @quantizelinear_f32_axis
// CHECK: onnx.Constant dense<{{\[\[}}1, 2, 3], [4, 3, 4]]> : tensor<2x3xui8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_axis() -> tensor<2x3xui8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<3xf32>
  %z = onnx.Constant dense<[0, 1, 2]> : tensor<3xui8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xui8>) -> tensor<2x3xui8>
  return %r : tensor<2x3xui8>
}

// -----

// For rank 1 the default axis means nothing.
// CHECK-LABEL: @quantizelinear_f32_vector_per_tensor
// CHECK: onnx.Constant dense<[0, 1]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_vector_per_tensor() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %z = onnx.Constant dense<0> : tensor<1xui8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<1xf32>, tensor<1xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_blocks
// CHECK: onnx.Constant dense<{{\[\[}}0, 1, 2, 2, 2, 2], [6, 7, 8, 4, 5, 6]]> : tensor<2x6xi16>
// CHECK-NEXT: return
func.func @quantizelinear_f32_blocks() -> tensor<2x6xi16> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<2x6xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
  %z = onnx.Constant dense<0> : tensor<2x2xi16>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 21}> {block_size = 3 : i64} : (tensor<2x6xf32>, tensor<2x2xf32>, tensor<2x2xi16>) -> tensor<2x6xi16>
  return %r : tensor<2x6xi16>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_blocks_last_shorter
// CHECK: onnx.Constant dense<{{\[\[}}1, 2, 2]]> : tensor<1x3xi8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_blocks_last_shorter() -> tensor<1x3xi8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<1x3xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %z = onnx.Constant dense<0> : tensor<1x2xi8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 21}> {block_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xi8>) -> tensor<1x3xi8>
  return %r : tensor<1x3xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_f8E4M3FN_no_saturate
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7F]> : tensor<2xf8E4M3FN>
// CHECK-NEXT: return
func.func @quantizelinear_f32_f8E4M3FN_no_saturate() -> tensor<2xf8E4M3FN> {
  %x = onnx.Constant dense<[1.000000e+00, 1.000000e+03]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<f8E4M3FN>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 19}> {saturate = 0 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<2xf8E4M3FN>
  return %r : tensor<2xf8E4M3FN>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_f6E2M3FN_zero_point
// CHECK: onnx.Constant dense<[1.500000e+00, 7.500000e+00]> : tensor<2xf6E2M3FN>
// CHECK-NEXT: return
func.func @quantizelinear_f32_f6E2M3FN_zero_point() -> tensor<2xf6E2M3FN> {
  %x = onnx.Constant dense<[1.000000e+00, 1.000000e+02]> : tensor<2xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f6E2M3FN>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 28}> : (tensor<2xf32>, tensor<f32>, tensor<f6E2M3FN>) -> tensor<2xf6E2M3FN>
  return %r : tensor<2xf6E2M3FN>
}

// -----

// CHECK-LABEL: @quantizelinear_f16_precision_f32
// CHECK: onnx.Constant dense<[3, 10]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @quantizelinear_f16_precision_f32() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf16>
  %y = onnx.Constant dense<3.000490e-01> : tensor<f16>
  %z = onnx.Constant dense<0> : tensor<ui8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 23}> {precision = 1 : i64} : (tensor<2xf16>, tensor<f16>, tensor<ui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// 2049 becomes 2048 in f16.
// CHECK-LABEL: @quantizelinear_f32_precision_f16
// CHECK: onnx.Constant dense<[1024, 0]> : tensor<2xui16>
// CHECK-NEXT: return
func.func @quantizelinear_f32_precision_f16() -> tensor<2xui16> {
  %x = onnx.Constant dense<[2.049000e+03, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<ui16>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 23}> {precision = 10 : i64} : (tensor<2xf32>, tensor<f32>, tensor<ui16>) -> tensor<2xui16>
  return %r : tensor<2xui16>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_infinite_quotient
// CHECK: onnx.Constant dense<[127, -128]> : tensor<2xi8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_infinite_quotient() -> tensor<2xi8> {
  %x = onnx.Constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<i8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xi8>
// CHECK-NEXT: return
func.func @quantizelinear_f32_empty() -> tensor<0x2xi8> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<i8>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<0x2xf32>, tensor<f32>, tensor<i8>) -> tensor<0x2xi8>
  return %r : tensor<0x2xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_nan_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_nan_stays() -> tensor<2xi8> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<i8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: element [1] divided by its scale is NaN}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_scales_of_v10_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_scales_of_v10_stays() -> tensor<1x2xui8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<0> : tensor<2xui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: the scale has shape [2], expected a scalar}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 10}> : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xui8>) -> tensor<1x2xui8>
  return %r : tensor<1x2xui8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_scales_mismatch_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_scales_mismatch_stays() -> tensor<1x2xui8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %z = onnx.Constant dense<0> : tensor<3xui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: scale has shape [3], expected [2]}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<1x2xf32>, tensor<3xf32>, tensor<3xui8>) -> tensor<1x2xui8>
  return %r : tensor<1x2xui8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_zero_points_mismatch_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_zero_points_mismatch_stays() -> tensor<1x2xui8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<0> : tensor<ui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: the zero point has shape [], expected [2] as the scale}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> : (tensor<1x2xf32>, tensor<2xf32>, tensor<ui8>) -> tensor<1x2xui8>
  return %r : tensor<1x2xui8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_axis_outside_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_axis_outside_stays() -> tensor<1x2xui8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<0> : tensor<2xui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 13}> {axis = 2 : i64} : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xui8>) -> tensor<1x2xui8>
  return %r : tensor<1x2xui8>
}

// -----

// CHECK-LABEL: @quantizelinear_f32_output_dtype_contradicts_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f32_output_dtype_contradicts_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<ui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: attribute 'output_dtype' is i8, the zero point has type u8}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 21}> {output_dtype = 3 : i64} : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// Infinities became NaN up to version 23, as in Cast: the largest number, as ONNX Runtime and the reference evaluator
// have it.
// CHECK-LABEL: @quantizelinear_f32_f8E5M2FNUZ_v23_infinity
// CHECK: onnx.Constant dense<[5.734400e+04, -5.734400e+04, 5.734400e+04, 1.000000e+00]> : tensor<4xf8E5M2FNUZ>
// CHECK-NEXT: return
func.func @quantizelinear_f32_f8E5M2FNUZ_v23_infinity() -> tensor<4xf8E5M2FNUZ> {
  %x = onnx.Constant dense<[0x7F800000, 0xFF800000, 1.000000e+06, 1.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<f8E5M2FNUZ>
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 23}> : (tensor<4xf32>, tensor<f32>, tensor<f8E5M2FNUZ>) -> tensor<4xf8E5M2FNUZ>
  return %r : tensor<4xf8E5M2FNUZ>
}

// -----

// It was 255.
// CHECK-LABEL: @quantizelinear_f16_beyond_i32_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_f16_beyond_i32_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 6.000000e+04]> : tensor<2xf16>
  %y = onnx.Constant dense<1.001360e-05> : tensor<f16>
  %z = onnx.Constant dense<0> : tensor<ui8>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: element [1] divided by its scale is beyond i32, where ONNX Runtime has the smallest u8}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 19}> : (tensor<2xf16>, tensor<f16>, tensor<ui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// It was 7.
// CHECK-LABEL: @quantizelinear_i4_beyond_i32_stays
// CHECK: onnx.QuantizeLinear(
func.func @quantizelinear_i4_beyond_i32_stays() -> tensor<2xi4> {
  %x = onnx.Constant dense<[1.000000e+00, 3.000000e+09]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<i4>
  // expected-remark @+1 {{onnx.QuantizeLinear not folded: element [1] divided by its scale is beyond i32, where ONNX Runtime has the smallest i4}}
  %r = onnx.QuantizeLinear(%x, %y, %z) <{since = 21}> : (tensor<2xf32>, tensor<f32>, tensor<i4>) -> tensor<2xi4>
  return %r : tensor<2xi4>
}
