// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, window by window.
// NaN is the largest and the first of equal elements counts; -inf is what padding has.

// CHECK-LABEL: @maxpool_i8_pads_never_win
// CHECK{LITERAL}: onnx.Constant dense<[[[-94, -62, -57, -57]]]> : tensor<1x1x4xi8>
// CHECK-NEXT: return
func.func @maxpool_i8_pads_never_win() -> tensor<1x1x4xi8> {
  %x0 = onnx.Constant dense<[[[-110, -94, -62, -57]]]> : tensor<1x1x4xi8>
  %r = onnx.MaxPool(%x0) <{since = 12}> {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x1x4xi8>) -> tensor<1x1x4xi8>
  return %r : tensor<1x1x4xi8>
}

// -----

// CHECK-LABEL: @maxpool_dilations
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.500000e+01, 2.300000e+01, 2.000000e+01, 2.300000e+01], [1.400000e+01, 2.200000e+01, 2.100000e+01, 1.900000e+01]]]]> : tensor<1x1x2x4xf32>
// CHECK-NEXT: return
func.func @maxpool_dilations() -> tensor<1x1x2x4xf32> {
  %x0 = onnx.Constant dense<[[[[1.300000e+01, 1.200000e+01, 1.500000e+01, 2.300000e+01, 0.000000e+00, 1.700000e+01], [3.000000e+00, 2.200000e+01, 8.000000e+00, 9.000000e+00, 1.800000e+01, 6.000000e+00], [1.000000e+00, 1.000000e+01, 2.000000e+00, 1.100000e+01, 2.000000e+01, 1.600000e+01], [1.400000e+01, 4.000000e+00, 7.000000e+00, 5.000000e+00, 2.100000e+01, 1.900000e+01]]]]> : tensor<1x1x4x6xf32>
  %r = onnx.MaxPool(%x0) <{since = 10}> {kernel_shape = array<i64: 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x1x4x6xf32>) -> tensor<1x1x2x4xf32>
  return %r : tensor<1x1x2x4xf32>
}

// -----

// CHECK-LABEL: @maxpool_same_lower
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @maxpool_same_lower() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %r = onnx.MaxPool(%x0) <{since = 11}> {kernel_shape = array<i64: 2>, auto_pad = "SAME_LOWER"} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @maxpool_nan_and_infinity_stays
// CHECK: onnx.MaxPool(
func.func @maxpool_nan_and_infinity_stays() -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>) {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0x7FC00000, 3.000000e+00, 0xFF800000, 0xFF800000, 2.000000e+00]]]> : tensor<1x1x6xf32>
  // expected-remark @+1 {{onnx.MaxPool not folded: element [0, 0, 1] of input #0 is NaN, which runtimes do not order in one way}}
  %r:2 = onnx.MaxPool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x6xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>)
  return %r#0, %r#1 : tensor<1x1x3xf32>, tensor<1x1x3xi64>
}

// -----

// A search that starts from -inf finds no element here.
// CHECK-LABEL: @maxpool_lowest_has_an_index
// CHECK{LITERAL}: onnx.Constant dense<0xFF800000> : tensor<1x1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1x1x1xi64>
func.func @maxpool_lowest_has_an_index() -> (tensor<1x1x1xf32>, tensor<1x1x1xi64>) {
  %x0 = onnx.Constant dense<0xFF800000> : tensor<1x1x2xf32>
  %r:2 = onnx.MaxPool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>} : (tensor<1x1x2xf32>) -> (tensor<1x1x1xf32>, tensor<1x1x1xi64>)
  return %r#0, %r#1 : tensor<1x1x1xf32>, tensor<1x1x1xi64>
}

// -----

// CHECK-LABEL: @maxpool_ties
// CHECK{LITERAL}: onnx.Constant dense<7.000000e+00> : tensor<1x1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1x1x1xi64>
func.func @maxpool_ties() -> (tensor<1x1x1xf32>, tensor<1x1x1xi64>) {
  %x0 = onnx.Constant dense<7.000000e+00> : tensor<1x1x3xf32>
  %r:2 = onnx.MaxPool(%x0) <{since = 22}> {kernel_shape = array<i64: 3>} : (tensor<1x1x3xf32>) -> (tensor<1x1x1xf32>, tensor<1x1x1xi64>)
  return %r#0, %r#1 : tensor<1x1x1xf32>, tensor<1x1x1xi64>
}

// -----

// CHECK-LABEL: @maxpool_only_padding_stays
// CHECK: onnx.MaxPool(
func.func @maxpool_only_padding_stays() -> tensor<1x1x6xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.MaxPool not folded: a window meets nothing but padding}}
  %r = onnx.MaxPool(%x0) <{since = 22}> {kernel_shape = array<i64: 1>, pads = array<i64: 2, 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x6xf32>
  return %r : tensor<1x1x6xf32>
}

// -----

// CHECK-LABEL: @maxpool_old_ceil_stays
// CHECK: onnx.MaxPool(
func.func @maxpool_old_ceil_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.MaxPool not folded: a window starts in the padding at the end, which belongs to the shape only before version 22}}
  %r = onnx.MaxPool(%x0) <{since = 12}> {kernel_shape = array<i64: 1>, strides = array<i64: 3>, pads = array<i64: 0, 2>, ceil_mode = 1 : i64} : (tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @maxpool_bad_strides_stay
// CHECK: onnx.MaxPool(
func.func @maxpool_bad_strides_stay() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.MaxPool not folded: attribute 'strides' is [0], expected 1 numbers from 1 to 2^31}}
  %r = onnx.MaxPool(%x0) <{since = 22}> {kernel_shape = array<i64: 1>, strides = array<i64: 0>} : (tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}

// -----

// It was folded to 4 columns: ONNX Runtime computes 2.
// CHECK-LABEL: @maxpool_dilated_same_stays
// CHECK: onnx.MaxPool(
func.func @maxpool_dilated_same_stays() -> tensor<1x1x4xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  // expected-remark @+1 {{onnx.MaxPool not folded: 'auto_pad' asks for the same size, and windows are dilated: ONNX Runtime gives another size}}
  %r = onnx.MaxPool(%x0) <{since = 12}> {kernel_shape = array<i64: 2>, dilations = array<i64: 2>, auto_pad = "SAME_UPPER"} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}
