// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, window by window.

// CHECK-LABEL: @averagepool_pads_do_not_count
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00, 2.500000e+00, 4.000000e+00], [7.000000e+00, 8.500000e+00, 1.000000e+01], [1.300000e+01, 1.450000e+01, 1.600000e+01]]]]> : tensor<1x1x3x3xf32>
// CHECK-NEXT: return
func.func @averagepool_pads_do_not_count() -> tensor<1x1x3x3xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01], [1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01]]]]> : tensor<1x1x4x4xf32>
  %r = onnx.AveragePool(%x0) <{since = 7}> {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  return %r : tensor<1x1x3x3xf32>
}

// -----

// CHECK-LABEL: @averagepool_1d_same_upper
// CHECK{LITERAL}: onnx.Constant dense<[[[1.500000e+00, 3.000000e+00, 4.500000e+00], [6.500000e+00, 8.000000e+00, 9.500000e+00]]]> : tensor<1x2x3xf32>
// CHECK-NEXT: return
func.func @averagepool_1d_same_upper() -> tensor<1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<1x2x5xf32>
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 3>, strides = array<i64: 2>, auto_pad = "SAME_UPPER"} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %r : tensor<1x2x3xf32>
}

// -----

// CHECK-LABEL: @averagepool_1d_same_lower_even
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00], [6.000000e+00, 6.500000e+00, 7.500000e+00, 8.500000e+00, 9.500000e+00]]]> : tensor<1x2x5xf32>
// CHECK-NEXT: return
func.func @averagepool_1d_same_lower_even() -> tensor<1x2x5xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<1x2x5xf32>
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 2>, auto_pad = "SAME_LOWER"} : (tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  return %r : tensor<1x2x5xf32>
}

// -----

// CHECK-LABEL: @averagepool_valid
// CHECK{LITERAL}: onnx.Constant dense<[[[1.500000e+00, 3.500000e+00], [6.500000e+00, 8.500000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @averagepool_valid() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<1x2x5xf32>
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>, auto_pad = "VALID"} : (tensor<1x2x5xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @averagepool_dilations
// CHECK{LITERAL}: onnx.Constant dense<[[[[6.000000e+00, 7.000000e+00], [1.000000e+01, 1.100000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @averagepool_dilations() -> tensor<1x1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01, 1.100000e+01, 1.200000e+01], [1.300000e+01, 1.400000e+01, 1.500000e+01, 1.600000e+01]]]]> : tensor<1x1x4x4xf32>
  %r = onnx.AveragePool(%x0) <{since = 19}> {kernel_shape = array<i64: 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// The last window hangs over the end and has one element.
// CHECK-LABEL: @averagepool_ceil
// CHECK{LITERAL}: onnx.Constant dense<[[[1.500000e+00, 3.500000e+00, 5.000000e+00], [6.500000e+00, 8.500000e+00, 1.000000e+01]]]> : tensor<1x2x3xf32>
// CHECK-NEXT: return
func.func @averagepool_ceil() -> tensor<1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<1x2x5xf32>
  %r = onnx.AveragePool(%x0) <{since = 10}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %r : tensor<1x2x3xf32>
}

// -----

// What lies beyond image and padding is no element, also with count_include_pad.
// CHECK-LABEL: @averagepool_ceil_beyond_pads_never_counts
// CHECK{LITERAL}: onnx.Constant dense<[[[1.500000e+00, 3.500000e+00, 5.000000e+00], [6.500000e+00, 8.500000e+00, 1.000000e+01]]]> : tensor<1x2x3xf32>
// CHECK-NEXT: return
func.func @averagepool_ceil_beyond_pads_never_counts() -> tensor<1x2x3xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<1x2x5xf32>
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>, ceil_mode = 1 : i64, count_include_pad = 1 : i64} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  return %r : tensor<1x2x3xf32>
}

// -----

// CHECK-LABEL: @averagepool_no_window_starts_in_end_padding
// CHECK{LITERAL}: onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
// CHECK-NEXT: return
func.func @averagepool_no_window_starts_in_end_padding() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 1>, strides = array<i64: 3>, pads = array<i64: 0, 2>, ceil_mode = 1 : i64} : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @averagepool_nan_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_nan_stays() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0x7FC00000, 3.000000e+00, 5.000000e+00]]]> : tensor<1x1x4xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: element [0, 0, 1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// Sums of f16 would stay at 2048.
// CHECK-LABEL: @averagepool_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<5.125000e+02> : tensor<1x1x1xf16>
// CHECK-NEXT: return
func.func @averagepool_f16_rounds_once() -> tensor<1x1x1xf16> {
  %x0 = onnx.Constant dense<[[[2.048000e+03, 1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x1x4xf16>
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 4>} : (tensor<1x1x4xf16>) -> tensor<1x1x1xf16>
  return %r : tensor<1x1x1xf16>
}

// -----

// CHECK-LABEL: @averagepool_empty_batch
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x1x2xf32>
// CHECK-NEXT: return
func.func @averagepool_empty_batch() -> tensor<0x1x2xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x1x4xf32>
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 3>} : (tensor<0x1x4xf32>) -> tensor<0x1x2xf32>
  return %r : tensor<0x1x2xf32>
}

// -----

// CHECK-LABEL: @averagepool_same_leaves_one_out
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 3.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @averagepool_same_leaves_one_out() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 1>, strides = array<i64: 2>, auto_pad = "SAME_LOWER"} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// ONNX Runtime takes element 1, others element 0.
// CHECK-LABEL: @averagepool_negative_same_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_negative_same_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x1x3xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: with a stride of 3 and a window of 1, 'auto_pad' asks for negative padding}}
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 1>, strides = array<i64: 3>, auto_pad = "SAME_UPPER"} : (tensor<1x1x3xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @averagepool_endless_padding_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_endless_padding_stays() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: the result has shape [1, 1, 4294967298], more than 1073741824 bytes}}
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 1>, pads = array<i64: 2147483648, 2147483648>} : (tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}

// -----

// CHECK-LABEL: @averagepool_overflow_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_overflow_stays() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: attribute 'strides' is [4611686018427387904], expected 1 numbers from 1 to 2^31}}
  %r = onnx.AveragePool(%x0) <{since = 11}> {kernel_shape = array<i64: 1>, strides = array<i64: 4611686018427387904>} : (tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}

// -----

// CHECK-LABEL: @averagepool_only_padding_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_only_padding_stays() -> tensor<1x1x6xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: a window meets nothing but padding}}
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 1>, pads = array<i64: 2, 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x6xf32>
  return %r : tensor<1x1x6xf32>
}

// -----

// CHECK-LABEL: @averagepool_too_large_stays
// CHECK: onnx.AveragePool(
func.func @averagepool_too_large_stays() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: a window of 3 does not fit into 2 padded elements}}
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 3>} : (tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}

// -----

// CHECK-LABEL: @averagepool_both_pads_stay
// CHECK: onnx.AveragePool(
func.func @averagepool_both_pads_stay() -> tensor<1x1x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]> : tensor<1x1x4xf32>
  // expected-remark @+1 {{onnx.AveragePool not folded: attributes 'auto_pad' and 'pads' exclude each other}}
  %r = onnx.AveragePool(%x0) <{since = 22}> {kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>, auto_pad = "SAME_UPPER"} : (tensor<1x1x4xf32>) -> tensor<1x1x?xf32>
  return %r : tensor<1x1x?xf32>
}
