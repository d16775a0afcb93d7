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

// CHECK-LABEL: @gemm_f32_c_row
// CHECK: onnx.Constant dense<{{\[\[}}1.100000e+01, 2.200000e+01, 3.800000e+01], [1.300000e+01, 2.400000e+01, 4.800000e+01], [1.500000e+01, 2.600000e+01, 5.800000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_c_row() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01]> : tensor<3xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_c_column
// CHECK: onnx.Constant dense<{{\[\[}}2.000000e+00, 3.000000e+00, 9.000000e+00], [5.000000e+00, 6.000000e+00, 2.000000e+01], [8.000000e+00, 9.000000e+00, 3.100000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_c_column() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[[1.000000e+00], [2.000000e+00], [3.000000e+00]]> : tensor<3x1xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_c_scalar
// CHECK: onnx.Constant dense<{{\[\[}}2.000000e+00, 3.000000e+00, 9.000000e+00], [4.000000e+00, 5.000000e+00, 1.900000e+01], [6.000000e+00, 7.000000e+00, 2.900000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_c_scalar() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 7}> : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_alpha_beta
// CHECK: onnx.Constant dense<{{\[\[}}2.050000e+01, 4.100000e+01, 6.400000e+01], [2.150000e+01, 4.200000e+01, 6.900000e+01], [2.250000e+01, 4.300000e+01, 7.400000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_alpha_beta() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01]> : tensor<3xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> {alpha = 0.5 : f32, beta = 2.0 : f32} : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_transposed
// CHECK: onnx.Constant dense<{{\[\[}}1.100000e+01, 2.200000e+01, 3.800000e+01], [1.300000e+01, 2.400000e+01, 4.800000e+01], [1.500000e+01, 2.600000e+01, 5.800000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_transposed() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01]> : tensor<3xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> {transA = 1 : i64, transB = 1 : i64} : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @gemm_f32_beta_0_ignores_c
// CHECK: onnx.Constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 8.000000e+00], [3.000000e+00, 4.000000e+00, 1.800000e+01], [5.000000e+00, 6.000000e+00, 2.800000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_beta_0_ignores_c() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<0x7FC00000> : tensor<f32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 13}> {beta = 0.0 : f32} : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
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

// CHECK-LABEL: @gemm_f32_v6_broadcast
// CHECK: onnx.Constant dense<{{\[\[}}1.100000e+01, 2.200000e+01, 3.800000e+01], [1.300000e+01, 2.400000e+01, 4.800000e+01], [1.500000e+01, 2.600000e+01, 5.800000e+01]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @gemm_f32_v6_broadcast() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 3.000000e+00]]> : tensor<2x3xf32>
  %z = onnx.Constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01]> : tensor<3xf32>
  %r = onnx.Gemm(%x, %y, %z) <{since = 6}> {broadcast = 1 : i64} : (tensor<3x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
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
