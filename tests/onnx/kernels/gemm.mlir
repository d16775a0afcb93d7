// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. In double, rounded once; integers wrap.

// CHECK-LABEL: @gemm_f32_no_c
// CHECK: onnx.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 8.000000e+00], [3.000000e+00, 4.000000e+00, 1.800000e+01], [5.000000e+00, 6.000000e+00, 2.800000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_no_c() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.Gemm(%x, %y) <{since = 11}> : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f16_rounds_once
// CHECK: onnx.Constant dense<2.050000e+03> : tensor<1x1xf16>
// CHECK-NEXT: return
func.func @gemm_f16_rounds_once() -> tensor<1x1xf16> {
  %x = onnx.Constant dense<[[2.048000e+03, 1.000000e+00]]> : tensor<1x2xf16>
  %y = onnx.Constant dense<1.000000e+00> : tensor<2x1xf16>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f16>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> : (tensor<1x2xf16>, tensor<2x1xf16>, tensor<f16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}

// -----

// CHECK-LABEL: @gemm_i32_wraps
// CHECK: onnx.Constant dense<-1> : tensor<1x1xi32>
// CHECK-NEXT: return
func.func @gemm_i32_wraps() -> tensor<1x1xi32> {
  %x = onnx.Constant dense<2147483647> : tensor<1x1xi32>
  %y = onnx.Constant dense<2> : tensor<1x1xi32>
  %z = onnx.Constant dense<1> : tensor<i32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 9}> : (tensor<1x1xi32>, tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}

// -----

// 0.5 * 9 + 1 = 5.5, the fraction is cut off as the reference evaluator does it.
// CHECK-LABEL: @gemm_i64_fractional_alpha
// CHECK: onnx.Constant dense<5> : tensor<1x1xi64>
// CHECK-NEXT: return
func.func @gemm_i64_fractional_alpha() -> tensor<1x1xi64> {
  %x = onnx.Constant dense<3> : tensor<1x1xi64>
  %y = onnx.Constant dense<3> : tensor<1x1xi64>
  %z = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> {alpha = 0.5 : f32} : (tensor<1x1xi64>, tensor<1x1xi64>, tensor<i64>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

// CHECK-LABEL: @gemm_f32_v6_equal_shapes
// CHECK: onnx.Constant dense<{{\[\[}}2.000000e+00, 4.000000e+00, 1.600000e+01], [6.000000e+00, 8.000000e+00, 3.600000e+01], [1.000000e+01, 1.200000e+01, 5.600000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_v6_equal_shapes() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 8.000000e+00], [3.000000e+00, 4.000000e+00, 1.800000e+01], [5.000000e+00, 6.000000e+00, 2.800000e+01]]> : tensor<3x3xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 6}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_v6_no_broadcast_stays
// CHECK: onnx.Gemm(
func.func @gemm_f32_v6_no_broadcast_stays() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Gemm not folded: C has shape [3], which does not broadcast to [3, 3]}}
  %r = onnx.Gemm(%x, %y, %z) <{since = 6}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_no_inner_elements
// CHECK: onnx.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @gemm_f32_no_inner_elements() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<> : tensor<0x2xf32>
  %z = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> : (tensor<2x0xf32>, tensor<0x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_mismatch_stays
// CHECK: onnx.Gemm(
func.func @gemm_f32_mismatch_stays() -> tensor<3x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.Gemm not folded: shapes [3, 2] and [1, 2] do not multiply}}
  %r = onnx.Gemm(%x, %y) <{since = 13}> : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_rank_3_stays
// CHECK: onnx.Gemm(
func.func @gemm_f32_rank_3_stays() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.Gemm not folded: shapes [1, 1, 1] and [1, 1] do not multiply}}
  %r = onnx.Gemm(%x, %y) <{since = 13}> : (tensor<1x1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_c_mismatch_stays
// CHECK: onnx.Gemm(
func.func @gemm_f32_c_mismatch_stays() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Gemm not folded: C has shape [2], which does not broadcast to [3, 3]}}
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
