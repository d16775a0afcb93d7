// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// As the stored tests: indices count in the 4 x 4 tensor, which lies at the beginning.
// CHECK-LABEL: @maxunpool_output_shape
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 2.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 3.000000e+00, 0.000000e+00, 4.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]]]> : tensor<1x1x5x5xf32>
// CHECK-NEXT: return
func.func @maxunpool_output_shape() -> tensor<1x1x5x5xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %x1 = onnx.Constant dense<[[[[5, 7], [13, 15]]]]> : tensor<1x1x2x2xi64>
  %x2 = onnx.Constant dense<[1, 1, 5, 5]> : tensor<4xi64>
  %r = onnx.MaxUnpool(%x0, %x1, %x2) <{since = 11}> {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x5xf32>
  return %r : tensor<1x1x5x5xf32>
}

// -----

// CHECK-LABEL: @maxunpool_1d_pads
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @maxunpool_1d_pads() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<[[[0, 3]]]> : tensor<1x1x2xi64>
  %r = onnx.MaxUnpool(%x0, %x1) <{since = 22}> {kernel_shape = array<i64: 4>, strides = array<i64: 2>, pads = array<i64: 1, 1>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @maxunpool_outside_stays
// CHECK: onnx.MaxUnpool(
func.func @maxunpool_outside_stays() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<[[[0, 4]]]> : tensor<1x1x2xi64>
  // expected-remark @+1 {{onnx.MaxUnpool not folded: index 4 at [0, 0, 1] is outside of 4 elements}}
  %r = onnx.MaxUnpool(%x0, %x1) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @maxunpool_negative_stays
// CHECK: onnx.MaxUnpool(
func.func @maxunpool_negative_stays() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<[[[0, -1]]]> : tensor<1x1x2xi64>
  // expected-remark @+1 {{onnx.MaxUnpool not folded: index -1 at [0, 0, 1] is outside of 4 elements}}
  %r = onnx.MaxUnpool(%x0, %x1) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: @maxunpool_smaller_output_stays
// CHECK: onnx.MaxUnpool(
func.func @maxunpool_smaller_output_stays() -> tensor<1x1x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<[[[0, 1]]]> : tensor<1x1x2xi64>
  %x2 = onnx.Constant dense<[1, 1, 3]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.MaxUnpool not folded: output_shape is [1, 1, 3], the unpooled tensor has shape [1, 1, 4]}}
  %r = onnx.MaxUnpool(%x0, %x1, %x2) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}

// -----

// CHECK-LABEL: @maxunpool_other_indices_stay
// CHECK: onnx.MaxUnpool(
func.func @maxunpool_other_indices_stay() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<0> : tensor<1x1x1xi64>
  // expected-remark @+1 {{onnx.MaxUnpool not folded: the indices have shape [1, 1, 1], expected [1, 1, 2] as input #0}}
  %r = onnx.MaxUnpool(%x0, %x1) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x1xi64>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
