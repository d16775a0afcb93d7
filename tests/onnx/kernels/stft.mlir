// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand. A frame x0 x1 x2 x3 has the bins x0 + x1 (-i)^k + x2 (-1)^k + x3 i^k.

// Without window and frame_length a frame is the signal.
// CHECK-LABEL: @stft_whole_signal
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+01, 0.000000e+00], [-2.000000e+00, 2.000000e+00], [-2.000000e+00, 0.000000e+00]]]]> : tensor<1x1x3x2xf32>
// CHECK-NEXT: return
func.func @stft_whole_signal() -> tensor<1x1x3x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<3> : tensor<i64>
  %r = onnx.STFT(%x0, %x1) <{since = 17}> : (tensor<1x4x1xf32>, tensor<i64>) -> tensor<1x1x3x2xf32>
  return %r : tensor<1x1x3x2xf32>
}

// -----

// CHECK-LABEL: @stft_one_sided_complex_stays
// CHECK: onnx.STFT(
func.func @stft_one_sided_complex_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 1.000000e+00], [2.000000e+00, -1.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.STFT not folded: the last dimension is 2, a one-sided transform needs 1}}
  %r = onnx.STFT(%x0, %x1) <{since = 17}> : (tensor<1x2x2xf32>, tensor<i64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @stft_long_frame_stays
// CHECK: onnx.STFT(
func.func @stft_long_frame_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00]]]> : tensor<1x8x1xf32>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<9> : tensor<i64>
  // expected-remark @+1 {{onnx.STFT not folded: a frame has length 9, the signal 8}}
  %r = onnx.STFT(%x0, %x1, %x2, %x3) <{since = 17}> : (tensor<1x8x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @stft_no_step_stays
// CHECK: onnx.STFT(
func.func @stft_no_step_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00]]]> : tensor<1x8x1xf32>
  %x1 = onnx.Constant dense<0> : tensor<i64>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.STFT not folded: the step is 0}}
  %r = onnx.STFT(%x0, %x1, %x2, %x3) <{since = 17}> : (tensor<1x8x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @stft_other_window_stays
// CHECK: onnx.STFT(
func.func @stft_other_window_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00]]]> : tensor<1x8x1xf32>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<3xf32>
  %x3 = onnx.Constant dense<4> : tensor<i64>
  // expected-remark @+1 {{onnx.STFT not folded: the window has type f32 and shape [3], expected f32 [4]}}
  %r = onnx.STFT(%x0, %x1, %x2, %x3) <{since = 17}> : (tensor<1x8x1xf32>, tensor<i64>, tensor<3xf32>, tensor<i64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @stft_matrix_stays
// CHECK: onnx.STFT(
func.func @stft_matrix_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00], [2.000000e+00], [3.000000e+00], [4.000000e+00], [5.000000e+00], [6.000000e+00], [7.000000e+00], [8.000000e+00]]> : tensor<8x1xf32>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  %x2 = onnx.Absent
  %x3 = onnx.Constant dense<2> : tensor<i64>
  // expected-remark @+1 {{onnx.STFT not folded: the signal has type f32 and shape [8, 1], expected floats with 1 or 2 as the last dimension}}
  %r = onnx.STFT(%x0, %x1, %x2, %x3) <{since = 17}> : (tensor<8x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
