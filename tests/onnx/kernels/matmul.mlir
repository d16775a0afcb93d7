// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Sums are accumulated in double and rounded once; integers wrap.

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
