// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @dft_20
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]]]> : tensor<1x4x2xf32>
// CHECK-NEXT: return
func.func @dft_20() -> tensor<1x4x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<1x4x1xf32>) -> tensor<1x4x2xf32>
  return %r : tensor<1x4x2xf32>
}

// -----

// CHECK-LABEL: @dft_axis_attribute
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [2.000000e+01, 0.000000e+00]], [[-2.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00]], [[-2.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[-2.000000e+00, -2.000000e+00], [0.000000e+00, -0.000000e+00]]]> : tensor<4x2x2xf32>
// CHECK-NEXT: return
func.func @dft_axis_attribute() -> tensor<4x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [5.000000e+00]], [[2.000000e+00], [5.000000e+00]], [[3.000000e+00], [5.000000e+00]], [[4.000000e+00], [5.000000e+00]]]> : tensor<4x2x1xf32>
  %r = onnx.DFT(%x0) <{since = 17}> {axis = 0 : i64} : (tensor<4x2x1xf32>) -> tensor<4x2x2xf32>
  return %r : tensor<4x2x2xf32>
}

// -----

// CHECK-LABEL: @dft_axis_input
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [2.000000e+01, 0.000000e+00]], [[-2.000000e+00, 2.000000e+00], [0.000000e+00, 0.000000e+00]], [[-2.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]], [[-2.000000e+00, -2.000000e+00], [0.000000e+00, -0.000000e+00]]]> : tensor<4x2x2xf32>
// CHECK-NEXT: return
func.func @dft_axis_input() -> tensor<4x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [5.000000e+00]], [[2.000000e+00], [5.000000e+00]], [[3.000000e+00], [5.000000e+00]], [[4.000000e+00], [5.000000e+00]]]> : tensor<4x2x1xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<-3> : tensor<i64>
  %r = onnx.DFT(%x0, %x1, %x2) <{since = 20}> : (tensor<4x2x1xf32>, none, tensor<i64>) -> tensor<4x2x2xf32>
  return %r : tensor<4x2x2xf32>
}

// -----

// CHECK-LABEL: @dft_one_sided
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00]]]> : tensor<1x3x2xf32>
// CHECK-NEXT: return
func.func @dft_one_sided() -> tensor<1x3x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.DFT(%x0) <{since = 20}> {onesided = 1 : i64} : (tensor<1x4x1xf32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
}

// -----

// CHECK-LABEL: @dft_one_sided_odd
// CHECK{LITERAL}: onnx.Constant dense<[[[1.800000e+01, 0.000000e+00], [0.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @dft_one_sided_odd() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<6.000000e+00> : tensor<1x3x1xf32>
  %r = onnx.DFT(%x0) <{since = 20}> {onesided = 1 : i64} : (tensor<1x3x1xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @dft_cut
// CHECK{LITERAL}: onnx.Constant dense<[[[3.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @dft_cut() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<2> : tensor<i64>
  %r = onnx.DFT(%x0, %x1) <{since = 20}> : (tensor<1x4x1xf32>, tensor<i64>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @dft_filled_up
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<1x4x2xf32>
// CHECK-NEXT: return
func.func @dft_filled_up() -> tensor<1x4x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<4> : tensor<i32>
  %r = onnx.DFT(%x0, %x1) <{since = 20}> : (tensor<1x1x2xf32>, tensor<i32>) -> tensor<1x4x2xf32>
  return %r : tensor<1x4x2xf32>
}

// -----

// x0 + x1 (-i)^k + x2 (-1)^k + x3 i^k
// CHECK-LABEL: @dft_complex
// CHECK{LITERAL}: onnx.Constant dense<[[[2.000000e+00, 3.000000e+00], [0.000000e+00, -5.000000e+00], [0.000000e+00, 5.000000e+00], [2.000000e+00, 1.000000e+00]]]> : tensor<1x4x2xf64>
// CHECK-NEXT: return
func.func @dft_complex() -> tensor<1x4x2xf64> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00], [0.000000e+00, 3.000000e+00], [-1.000000e+00, 0.000000e+00]]]> : tensor<1x4x2xf64>
  %r = onnx.DFT(%x0) <{since = 17}> : (tensor<1x4x2xf64>) -> tensor<1x4x2xf64>
  return %r : tensor<1x4x2xf64>
}

// -----

// CHECK-LABEL: @dft_inverse
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 5.000000e-01], [2.000000e+00, 0.000000e+00], [3.000000e+00, 5.000000e-01], [4.000000e+00, 0.000000e+00]]]> : tensor<1x4x2xf32>
// CHECK-NEXT: return
func.func @dft_inverse() -> tensor<1x4x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+01, 1.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 1.000000e+00], [-2.000000e+00, -2.000000e+00]]]> : tensor<1x4x2xf32>
  %r = onnx.DFT(%x0) <{since = 20}> {inverse = 1 : i64} : (tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %r : tensor<1x4x2xf32>
}

// -----

// CHECK-LABEL: @dft_inverse_one_sided
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
// CHECK-NEXT: return
func.func @dft_inverse_one_sided() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00]]]> : tensor<1x3x2xf32>
  %r = onnx.DFT(%x0) <{since = 20}> {inverse = 1 : i64, onesided = 1 : i64} : (tensor<1x3x2xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// As numpy.fft.irfft has it.
// CHECK-LABEL: @dft_inverse_one_sided_ends_are_real
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
// CHECK-NEXT: return
func.func @dft_inverse_one_sided_ends_are_real() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+01, 7.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 9.000000e+00]]]> : tensor<1x3x2xf32>
  %r = onnx.DFT(%x0) <{since = 20}> {inverse = 1 : i64, onesided = 1 : i64} : (tensor<1x3x2xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// CHECK-LABEL: @dft_inverse_one_sided_length
// CHECK{LITERAL}: onnx.Constant dense<2.000000e+00> : tensor<1x3x1xf32>
// CHECK-NEXT: return
func.func @dft_inverse_one_sided_length() -> tensor<1x3x1xf32> {
  %x0 = onnx.Constant dense<[[[6.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e+00, 5.000000e+00]]]> : tensor<1x3x2xf32>
  %x1 = onnx.Constant dense<3> : tensor<i64>
  %r = onnx.DFT(%x0, %x1) <{since = 20}> {inverse = 1 : i64, onesided = 1 : i64} : (tensor<1x3x2xf32>, tensor<i64>) -> tensor<1x3x1xf32>
  return %r : tensor<1x3x1xf32>
}

// -----

// CHECK-LABEL: @dft_f16
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]]]> : tensor<1x4x2xf16>
// CHECK-NEXT: return
func.func @dft_f16() -> tensor<1x4x2xf16> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf16>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<1x4x1xf16>) -> tensor<1x4x2xf16>
  return %r : tensor<1x4x2xf16>
}

// -----

// CHECK-LABEL: @dft_bf16
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00], [-2.000000e+00, -2.000000e+00]]]> : tensor<1x4x2xbf16>
// CHECK-NEXT: return
func.func @dft_bf16() -> tensor<1x4x2xbf16> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xbf16>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<1x4x1xbf16>) -> tensor<1x4x2xbf16>
  return %r : tensor<1x4x2xbf16>
}

// -----

// CHECK-LABEL: @dft_one_element
// CHECK{LITERAL}: onnx.Constant dense<[[7.000000e+00, 0.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @dft_one_element() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<7.000000e+00> : tensor<1x1xf32>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<1x1xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// Rows are independent.
// CHECK-LABEL: @dft_nan_and_infinity_spoil_their_rows
// CHECK{LITERAL}: onnx.Constant dense<[[[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]], [[0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7FC00000]], [[2.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]]> : tensor<3x2x2xf32>
// CHECK-NEXT: return
func.func @dft_nan_and_infinity_spoil_their_rows() -> tensor<3x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [0x7FC00000]], [[2.000000e+00], [0x7F800000]], [[1.000000e+00], [1.000000e+00]]]> : tensor<3x2x1xf32>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<3x2x1xf32>) -> tensor<3x2x2xf32>
  return %r : tensor<3x2x2xf32>
}

// -----

// CHECK-LABEL: @dft_f64_large
// CHECK{LITERAL}: onnx.Constant dense<[[2.000000e+300, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf64>
// CHECK-NEXT: return
func.func @dft_f64_large() -> tensor<2x2xf64> {
  %x0 = onnx.Constant dense<1.000000e+300> : tensor<2x1xf64>
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<2x1xf64>) -> tensor<2x2xf64>
  return %r : tensor<2x2xf64>
}

// -----

// CHECK-LABEL: @dft_one_sided_complex_stays
// CHECK: onnx.DFT(
func.func @dft_one_sided_complex_stays() -> tensor<?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00]]]> : tensor<1x2x2xf32>
  // expected-remark @+1 {{onnx.DFT not folded: the last dimension is 2, a one-sided transform needs 1}}
  %r = onnx.DFT(%x0) <{since = 20}> {onesided = 1 : i64} : (tensor<1x2x2xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: @dft_inverse_one_sided_real_stays
// CHECK: onnx.DFT(
func.func @dft_inverse_one_sided_real_stays() -> tensor<?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.DFT not folded: the last dimension is 1, a one-sided transform needs 2}}
  %r = onnx.DFT(%x0) <{since = 20}> {onesided = 1 : i64, inverse = 1 : i64} : (tensor<1x2x1xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// The default of version 17 is the last axis of a matrix.
// CHECK-LABEL: @dft_last_axis_stays
// CHECK: onnx.DFT(
func.func @dft_last_axis_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.DFT not folded: the axis is the last, which holds real and imaginary parts}}
  %r = onnx.DFT(%x0) <{since = 17}> : (tensor<2x1xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @dft_last_axis_input_stays
// CHECK: onnx.DFT(
func.func @dft_last_axis_input_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  %x1 = onnx.Absent
  %x2 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.DFT not folded: the axis is the last, which holds real and imaginary parts}}
  %r = onnx.DFT(%x0, %x1, %x2) <{since = 20}> : (tensor<2x1xf32>, none, tensor<i64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @dft_no_length_stays
// CHECK: onnx.DFT(
func.func @dft_no_length_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  %x1 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.DFT not folded: the transform has length 0}}
  %r = onnx.DFT(%x0, %x1) <{since = 20}> : (tensor<2x1xf32>, tensor<i64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @dft_inverse_of_one_bin_stays
// CHECK: onnx.DFT(
func.func @dft_inverse_of_one_bin_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.DFT not folded: the transform has length 0}}
  %r = onnx.DFT(%x0) <{since = 20}> {onesided = 1 : i64, inverse = 1 : i64} : (tensor<1x2xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @dft_long_stays
// CHECK: onnx.DFT(
func.func @dft_long_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>
  %x1 = onnx.Constant dense<100000000> : tensor<i64>
  // expected-remark @+1 {{onnx.DFT not folded: a transform of length 100000000 needs more memory than a result may have}}
  %r = onnx.DFT(%x0, %x1) <{since = 20}> : (tensor<2x1xf32>, tensor<i64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @dft_three_parts_stays
// CHECK: onnx.DFT(
func.func @dft_three_parts_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<1x3xf32>
  // expected-remark @+1 {{onnx.DFT not folded: the signal has type f32 and shape [1, 3], expected floats with 1 or 2 as the last dimension}}
  %r = onnx.DFT(%x0) <{since = 20}> : (tensor<1x3xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
