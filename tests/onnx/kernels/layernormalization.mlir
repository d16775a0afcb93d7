// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand: epsilons and variances are chosen so that roots are whole.

// CHECK-LABEL: @layernormalization_no_bias
// CHECK{LITERAL}: onnx.Constant dense<[[-1.000000e+00, 2.000000e+00], [-1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @layernormalization_no_bias() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 3.0 : f32} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// The bias broadcasts.
// CHECK-LABEL: @layernormalization_axis_0
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 2.000000e+00], [4.000000e+00, -4.000000e+00]]> : tensor<2x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<5.000000e-01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_axis_0() -> (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[[2.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
  %x2 = onnx.Constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
  %r:3 = onnx.LayerNormalization(%x0, %x1, %x2) <{since = 17}> {epsilon = 3.0 : f32, axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

// -----

// A scalar broadcasts too.
// CHECK-LABEL: @layernormalization_axis_negative_2
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.000000e+00, 1.000000e+00], [1.000000e+00, -1.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_axis_negative_2() -> (tensor<1x2x2xf32>, tensor<1x1x1xf32>) {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 3.000000e+00], [3.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %r:2 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 3.0 : f32, axis = -2 : i64} : (tensor<1x2x2xf32>, tensor<f32>) -> (tensor<1x2x2xf32>, tensor<1x1x1xf32>)
  return %r#0, %r#1 : tensor<1x2x2xf32>, tensor<1x1x1xf32>
}

// -----

// 2049 is no f16, but the mean is an f32.
// CHECK-LABEL: @layernormalization_f16_stashes_f32
// CHECK{LITERAL}: onnx.Constant dense<[[-1.000000e+00, 1.000000e+00]]> : tensor<1x2xf16>
// CHECK{LITERAL}: onnx.Constant dense<2.049000e+03> : tensor<1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<5.000000e-01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_f16_stashes_f32() -> (tensor<1x2xf16>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %x0 = onnx.Constant dense<[[2.048000e+03, 2.050000e+03]]> : tensor<1x2xf16>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<2xf16>
  %r:3 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 3.0 : f32} : (tensor<1x2xf16>, tensor<2xf16>) -> (tensor<1x2xf16>, tensor<1x1xf32>, tensor<1x1xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x2xf16>, tensor<1x1xf32>, tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @layernormalization_bf16_stash
// CHECK{LITERAL}: onnx.Constant dense<[[-1.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<2.000000e+00> : tensor<1x1xbf16>
// CHECK{LITERAL}: onnx.Constant dense<5.000000e-01> : tensor<1x1xbf16>
// CHECK-NEXT: return
func.func @layernormalization_bf16_stash() -> (tensor<1x2xf32>, tensor<1x1xbf16>, tensor<1x1xbf16>) {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<2xf32>
  %r:3 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 3.0 : f32, stash_type = 16 : i64} : (tensor<1x2xf32>, tensor<2xf32>) -> (tensor<1x2xf32>, tensor<1x1xbf16>, tensor<1x1xbf16>)
  return %r#0, %r#1, %r#2 : tensor<1x2xf32>, tensor<1x1xbf16>, tensor<1x1xbf16>
}

// -----

// CHECK-LABEL: @layernormalization_left_out_bias
// CHECK{LITERAL}: onnx.Constant dense<[[-1.000000e+00, 2.000000e+00], [-1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @layernormalization_left_out_bias() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Absent
  %r = onnx.LayerNormalization(%x0, %x1, %x2) <{since = 17}> {epsilon = 3.0 : f32} : (tensor<2x2xf32>, tensor<2xf32>, none) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// The mean is left out.
// CHECK-LABEL: @layernormalization_only_the_inverse
// CHECK{LITERAL}: onnx.Constant dense<5.000000e-01> : tensor<2x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_only_the_inverse() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %r:3 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 3.0 : f32} : (tensor<2x2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, none, tensor<2x1xf32>)
  return %r#2 : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @layernormalization_f64_mean_of_equal_elements
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1x3xf64>
// CHECK{LITERAL}: onnx.Constant dense<1.000000e-01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_f64_mean_of_equal_elements() -> (tensor<1x3xf64>, tensor<1x1xf32>) {
  %x0 = onnx.Constant dense<1.000000e-01> : tensor<1x3xf64>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<3xf64>
  %r:2 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {epsilon = 1.000000e-30 : f32} : (tensor<1x3xf64>, tensor<3xf64>) -> (tensor<1x3xf64>, tensor<1x1xf32>)
  return %r#0, %r#1 : tensor<1x3xf64>, tensor<1x1xf32>
}

// -----

// As IEEE has it: the mean is infinite, and infinity less infinity is no number.
// CHECK-LABEL: @layernormalization_infinity
// CHECK: onnx.Constant dense<0x{{[7F]}}FC00000> : tensor<1x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<0x7F800000> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_infinity() -> (tensor<1x2xf32>, tensor<1x1xf32>) {
  %x0 = onnx.Constant dense<[[1.000000e+00, 0x7F800000]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<2xf32>
  %r:2 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<1x2xf32>, tensor<2xf32>) -> (tensor<1x2xf32>, tensor<1x1xf32>)
  return %r#0, %r#1 : tensor<1x2xf32>, tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @layernormalization_empty_rows
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @layernormalization_empty_rows() -> tensor<2x0xf32> {
  %x0 = onnx.Constant dense<> : tensor<2x0xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<2x0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @layernormalization_no_rows
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x1xf32>
// CHECK-NEXT: return
func.func @layernormalization_no_rows() -> (tensor<0x2xf32>, tensor<0x1xf32>, tensor<0x1xf32>) {
  %x0 = onnx.Constant dense<> : tensor<0x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<2xf32>
  %r:3 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<0x2xf32>, tensor<2xf32>) -> (tensor<0x2xf32>, tensor<0x1xf32>, tensor<0x1xf32>)
  return %r#0, %r#1, %r#2 : tensor<0x2xf32>, tensor<0x1xf32>, tensor<0x1xf32>
}

// -----

// CHECK-LABEL: @layernormalization_mean_of_empty_rows_stays
// CHECK: onnx.LayerNormalization(
func.func @layernormalization_mean_of_empty_rows_stays() -> tensor<2x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<2x0xf32>
  %x1 = onnx.Constant dense<> : tensor<0xf32>
  // expected-remark @+1 {{onnx.LayerNormalization not folded: input #0 has shape [2, 0], and the mean of no elements is undefined}}
  %r:2 = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<2x0xf32>, tensor<0xf32>) -> (tensor<2x0xf32>, tensor<2x1xf32>)
  return %r#1 : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @layernormalization_axis_stays
// CHECK: onnx.LayerNormalization(
func.func @layernormalization_axis_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.LayerNormalization not folded: attribute 'axis' is 2, the rank is 2}}
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {axis = 2 : i64} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @layernormalization_scale_stays
// CHECK: onnx.LayerNormalization(
func.func @layernormalization_scale_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.LayerNormalization not folded: input #1 has shape [3], which does not broadcast to [2, 2]}}
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<2x2xf32>, tensor<3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @layernormalization_larger_scale_stays
// CHECK: onnx.LayerNormalization(
func.func @layernormalization_larger_scale_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 4.000000e+00]], [[2.000000e+00, 4.000000e+00]]]> : tensor<2x1x2xf32>
  // expected-remark @+1 {{onnx.LayerNormalization not folded: input #1 has shape [2, 1, 2], which does not broadcast to [2, 2]}}
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> : (tensor<2x2xf32>, tensor<2x1x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @layernormalization_stash_type_stays
// CHECK: onnx.LayerNormalization(
func.func @layernormalization_stash_type_stays() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.LayerNormalization not folded: attribute 'stash_type' is 11, which is not a type to compute in}}
  %r = onnx.LayerNormalization(%x0, %x1) <{since = 17}> {stash_type = 11 : i64} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
