// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand. A cosine of 0 and a sine of 1 turn (x1, x2) to (-x2, x1).

// Rounded after each step it would be -11.2421875 and 11.0078125.
// CHECK-LABEL: @rotaryembedding_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<[[[[-1.125000e+01, 1.100000e+01]]]]> : tensor<1x1x1x2xf16>
// CHECK-NEXT: return
func.func @rotaryembedding_f16_rounds_once() -> tensor<1x1x1x2xf16> {
  %x = onnx.Constant dense<[[[[1.250000e-01, 3.062500e+00]]]]> : tensor<1x1x1x2xf16>
  %y = onnx.Constant dense<3.437500e+00> : tensor<1x1xf16>
  %z = onnx.Constant dense<3.812500e+00> : tensor<1x1xf16>
  %u = onnx.Constant dense<0> : tensor<1x1xi64>
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x2xf16>, tensor<1x1xf16>, tensor<1x1xf16>, tensor<1x1xi64>) -> tensor<1x1x1x2xf16>
  return %r : tensor<1x1x1x2xf16>
}

// -----

// CHECK-LABEL: @rotaryembedding_position_out_of_range_stays
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_position_out_of_range_stays() -> tensor<1x1x1x4xf32> {
  %x = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, 2.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00]]> : tensor<3x2xf32>
  %u = onnx.Constant dense<3> : tensor<1x1xi64>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: index [0, 0] is 3, the dimension is 3}}
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x1xi64>) -> tensor<1x1x1x4xf32>
  return %r : tensor<1x1x1x4xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_3d_without_heads_stays
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_3d_without_heads_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x2x4xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, 2.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00]]> : tensor<3x2xf32>
  %u = onnx.Constant dense<0> : tensor<1x2xi64>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: attribute 'num_heads' is 0, the input has shape [1, 2, 4]}}
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x2x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_odd_size_stays
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_odd_size_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00]]]]> : tensor<1x1x1x3xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, 2.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00]]> : tensor<3x2xf32>
  %u = onnx.Constant dense<0> : tensor<1x1xi64>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: attribute 'rotary_embedding_dim' is 3, expected an even number up to 3}}
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x1xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_angles_of_another_size_stay
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_angles_of_another_size_stay() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
  %y = onnx.Constant dense<[[1.000000e+00], [0.000000e+00], [5.000000e-01]]> : tensor<3x1xf32>
  %z = onnx.Constant dense<[[0.000000e+00], [1.000000e+00], [2.500000e-01]]> : tensor<3x1xf32>
  %u = onnx.Constant dense<0> : tensor<1x1xi64>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: the angles of input #1 have shape [1, 1, 1], expected [1, 1, 2]}}
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x4xf32>, tensor<3x1xf32>, tensor<3x1xf32>, tensor<1x1xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_positions_of_another_batch_stay
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_positions_of_another_batch_stay() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, 2.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00]]> : tensor<3x2xf32>
  %u = onnx.Constant dense<0> : tensor<2x1xi64>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: the positions are i64[2, 1], expected i64[1, 1]}}
  %r = onnx.RotaryEmbedding(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<2x1xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_2d_angles_without_positions_stay
// CHECK: onnx.RotaryEmbedding(
func.func @rotaryembedding_2d_angles_without_positions_stay() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]]]> : tensor<1x1x1x4xf32>
  %y = onnx.Constant dense<[[1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [5.000000e-01, 2.000000e+00]]> : tensor<3x2xf32>
  %z = onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.500000e-01, 4.000000e+00]]> : tensor<3x2xf32>
  // expected-remark @+1 {{onnx.RotaryEmbedding not folded: the angles of input #1 have shape [3, 2], expected [1, 1, 2]}}
  %r = onnx.RotaryEmbedding(%x, %y, %z) <{since = 23}> : (tensor<1x1x1x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
