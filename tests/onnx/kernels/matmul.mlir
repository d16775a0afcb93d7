// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Sums are accumulated in double and rounded once; integers wrap.

// CHECK-LABEL: @matmul_f32
// CHECK: onnx.Constant dense<{{\[\[}}7.000000e+00, -1.000000e+00], [1.600000e+01, -1.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @matmul_f32() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_vectors
// CHECK: onnx.Constant dense<3.200000e+01> : tensor<f32>
// CHECK-NEXT: return
func.func @matmul_f32_vectors() -> tensor<f32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<[4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<3xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @matmul_f32_matrix_vector
// CHECK: onnx.Constant dense<[9.000000e+00, 2.100000e+01]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @matmul_f32_matrix_vector() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[1.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_vector_matrix
// CHECK: onnx.Constant dense<[9.000000e+00, 1.200000e+01, 1.500000e+01]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @matmul_f32_vector_matrix() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_batches_broadcast
// CHECK: onnx.Constant dense<{{\[\[\[}}[2.000000e+00, 3.000000e+00], [6.000000e+00, 1.100000e+01]], {{\[\[}}6.000000e+00, 7.000000e+00], [2.600000e+01, 3.100000e+01]], {{\[\[}}1.000000e+01, 1.100000e+01], [4.600000e+01, 5.100000e+01]]], {{\[\[\[}}1.000000e+01, 1.900000e+01], [1.400000e+01, 2.700000e+01]], {{\[\[}}4.600000e+01, 5.500000e+01], [6.600000e+01, 7.900000e+01]], {{\[\[}}8.200000e+01, 9.100000e+01], [1.180000e+02, 1.310000e+02]]]]> : tensor<2x3x2x2xf32>
// CHECK-NEXT: return
func.func @matmul_f32_batches_broadcast() -> tensor<2x3x2x2xf32> {
  %x = onnx.Constant dense<[[[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]], [[[4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00]]]]> : tensor<2x1x2x2xf32>
  %y = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]], [[4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00]], [[8.000000e+00, 9.000000e+00], [1.000000e+01, 1.100000e+01]]]> : tensor<3x2x2xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<2x1x2x2xf32>, tensor<3x2x2xf32>) -> tensor<2x3x2x2xf32>
  return %r : tensor<2x3x2x2xf32>
}

// -----

// In f32 each 1 would be lost.
// CHECK-LABEL: @matmul_f32_rounds_once
// CHECK: onnx.Constant dense<0x4B800001> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @matmul_f32_rounds_once() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[0x4B800000, 1.000000e+00, 1.000000e+00]]> : tensor<1x3xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<3x1xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @matmul_f64_v1
// CHECK: onnx.Constant dense<9.500000e+00> : tensor<1x1xf64>
// CHECK-NEXT: return
func.func @matmul_f64_v1() -> tensor<1x1xf64> {
  %x = onnx.Constant dense<[[5.000000e-01, 2.000000e+00]]> : tensor<1x2xf64>
  %y = onnx.Constant dense<[[3.000000e+00], [4.000000e+00]]> : tensor<2x1xf64>
  %r = onnx.MatMul(%x, %y) <{since = 1}> : (tensor<1x2xf64>, tensor<2x1xf64>) -> tensor<1x1xf64>
  return %r : tensor<1x1xf64>
}

// -----

// CHECK-LABEL: @matmul_i64_beyond_double
// CHECK: onnx.Constant dense<9007199254740994> : tensor<1x1xi64>
// CHECK-NEXT: return
func.func @matmul_i64_beyond_double() -> tensor<1x1xi64> {
  %x = onnx.Constant dense<[[9007199254740993, 1]]> : tensor<1x2xi64>
  %y = onnx.Constant dense<1> : tensor<2x1xi64>
  %r = onnx.MatMul(%x, %y) <{since = 9}> : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

// CHECK-LABEL: @matmul_i32_wraps
// CHECK: onnx.Constant dense<-2147483648> : tensor<1x1xi32>
// CHECK-NEXT: return
func.func @matmul_i32_wraps() -> tensor<1x1xi32> {
  %x = onnx.Constant dense<[[2147483647, 1]]> : tensor<1x2xi32>
  %y = onnx.Constant dense<1> : tensor<2x1xi32>
  %r = onnx.MatMul(%x, %y) <{since = 9}> : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}

// -----

// CHECK-LABEL: @matmul_f32_no_inner_elements
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @matmul_f32_no_inner_elements() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %y = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @matmul_f32_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_nan
// CHECK: onnx.Constant dense<{{0x[7F][0-9A-F]+}}> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @matmul_f32_nan() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<[[0x7FC00000, 1.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[[0.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_mismatch_stays
// CHECK: onnx.MatMul(
func.func @matmul_f32_mismatch_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.MatMul not folded: shapes [1, 2] and [1, 2] do not multiply}}
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @matmul_f32_scalar_stays
// CHECK: onnx.MatMul(
func.func @matmul_f32_scalar_stays() -> tensor<1x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.MatMul not folded: shapes [1, 2] and [] do not multiply}}
  %r = onnx.MatMul(%x, %y) <{since = 13}> : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
