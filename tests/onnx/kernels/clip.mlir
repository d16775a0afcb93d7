// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. onnx-mlir clipped signed integers with one bound to the unsigned limits, and infinity to
// FLT_MAX (N1).

// CHECK-LABEL: @clip_f32_both
// CHECK: onnx.Constant dense<[-1.000000e+00, -0.000000e+00, 2.500000e+00, 5.000000e+00, 0x7FC00000, 5.000000e+00, -1.000000e+00]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @clip_f32_both() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
  %y = onnx.Constant dense<-1.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<5.000000e+00> : tensor<f32>
  %r = onnx.Clip(%x, %y, %z) <{since = 13}> : (tensor<7xf32>, tensor<f32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// Infinity stays: there is no upper bound.
// CHECK-LABEL: @clip_f32_lower_only
// CHECK: onnx.Constant dense<[-1.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, -1.000000e+00]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @clip_f32_lower_only() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
  %y = onnx.Constant dense<-1.000000e+00> : tensor<f32>
  %r = onnx.Clip(%x, %y) <{since = 13}> : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @clip_f32_upper_only
// CHECK: onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 5.000000e+00, 0x7FC00000, 5.000000e+00, 0xFF800000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @clip_f32_upper_only() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
  %y = onnx.Absent
  %z = onnx.Constant dense<5.000000e+00> : tensor<f32>
  %r = onnx.Clip(%x, %y, %z) <{since = 13}> : (tensor<7xf32>, none, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @clip_f32_no_bounds
// CHECK: onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @clip_f32_no_bounds() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-5.000000e+00, -0.000000e+00, 2.500000e+00, 7.000000e+00, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<7xf32>
  %r = onnx.Clip(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @clip_f32_nan_bound_stays
// CHECK: onnx.Clip(
func.func @clip_f32_nan_bound_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0x7FC00000> : tensor<f32>
  // expected-remark @+1 {{onnx.Clip not folded: a bound is NaN, of which runtimes do not make the same}}
  %r = onnx.Clip(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The upper bound wins.
// CHECK-LABEL: @clip_f32_crossed_bounds
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<3xf32>
// CHECK-NEXT: return
func.func @clip_f32_crossed_bounds() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 5.000000e+00, 9.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<6.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.Clip(%x, %y, %z) <{since = 13}> : (tensor<3xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @clip_ui64_upper_only
// CHECK: onnx.Constant dense<[9223372036854775808, 7]> : tensor<2xui64>
// CHECK-NEXT: return
func.func @clip_ui64_upper_only() -> tensor<2xui64> {
  %x = onnx.Constant dense<[9223372036854775813, 7]> : tensor<2xui64>
  %y = onnx.Absent
  %z = onnx.Constant dense<9223372036854775808> : tensor<ui64>
  %r = onnx.Clip(%x, %y, %z) <{since = 13}> : (tensor<2xui64>, none, tensor<ui64>) -> tensor<2xui64>
  return %r : tensor<2xui64>
}

// -----

// CHECK-LABEL: @clip_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @clip_f32_empty() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %r = onnx.Clip(%x, %y) <{since = 13}> : (tensor<0xf32>, tensor<f32>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @clip_f32_v6_attributes
// CHECK: onnx.Constant dense<[-1.000000e+00, 5.000000e-01, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @clip_f32_v6_attributes() -> tensor<3xf32> {
  %x = onnx.Constant dense<[-3.000000e+00, 5.000000e-01, 0x7F800000]> : tensor<3xf32>
  %r = onnx.Clip(%x) <{since = 6}> {max = 2.0 : f32, min = -1.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// The attributes of version 6 default to -FLT_MAX and FLT_MAX.
// CHECK-LABEL: @clip_f32_v6_defaults
// CHECK: onnx.Constant dense<[-3.40282347E+38, 5.000000e-01, 3.40282347E+38]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @clip_f32_v6_defaults() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0xFF800000, 5.000000e-01, 0x7F800000]> : tensor<3xf32>
  %r = onnx.Clip(%x) <{since = 6}> : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @clip_f16_v6_rounds_the_bound
// CHECK: onnx.Constant dense<[9.9975{{[0-9]+}}e-02, 4.9987{{[0-9]+}}e-02]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @clip_f16_v6_rounds_the_bound() -> tensor<2xf16> {
  %x = onnx.Constant dense<[1.000000e+00, 4.998780e-02]> : tensor<2xf16>
  %r = onnx.Clip(%x) <{since = 6}> {max = 0.1 : f32} : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @clip_f32_v1_no_defaults
// CHECK: onnx.Constant dense<[0xFF800000, 5.000000e-01, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @clip_f32_v1_no_defaults() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0xFF800000, 5.000000e-01, 0x7F800000]> : tensor<3xf32>
  %r = onnx.Clip(%x) <{since = 1}> {max = 2.0 : f32} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @clip_f32_bound_not_scalar_stays
// CHECK: onnx.Clip(
func.func @clip_f32_bound_not_scalar_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Clip not folded: a bound is f32[1], expected a scalar f32}}
  %r = onnx.Clip(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @clip_i1_stays
// CHECK: onnx.Clip(
func.func @clip_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %y = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.Clip not folded: input #0 ('input') is tensor<2xi1>, expected one of}}
  %r = onnx.Clip(%x, %y) <{since = 13}> : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
