// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the equation of the specification: with Relu or Affine and small numbers all are exact.

// CHECK-LABEL: @rnn_f32_bias_initial_h
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}1.600000e+01]]], {{\[\[\[}}6.300000e+01]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<6.300000e+01> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_bias_initial_h() -> (tensor<2x1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Constant dense<[[1.000000e+00, 1.000000e+01]]> : tensor<1x2xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s, %h) <{since = 22}> {activations = ["Relu"], hidden_size = 1 : i64} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x2xf32>, none, tensor<1x1x1xf32>) -> (tensor<2x1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1 : tensor<2x1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// tanh(inf)
// CHECK-LABEL: @rnn_f32_tanh_by_default
// CHECK-DAG: onnx.Constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_tanh_by_default() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x2xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Constant dense<[[0x7F800000, 0.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.RNN(%x, %w, %r, %b) <{since = 14}> : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1x2xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_r_is_transposed
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}8.000000e+00, 0.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_r_is_transposed() -> tensor<1x1x2xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[1.000000e+00], [0.000000e+00]]]> : tensor<1x2x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Constant dense<[[[5.000000e+00, 7.000000e+00]]]> : tensor<1x1x2xf32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s, %h) <{since = 7, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<1x1x1xf32>, tensor<1x2x1xf32>, tensor<1x2x2xf32>, none, none, tensor<1x1x2xf32>) -> (none, tensor<1x1x2xf32>)
  return %y#1 : tensor<1x1x2xf32>
}

// -----

// The text of version 1 lacks the transposition, the weights of its models do not.
// CHECK-LABEL: @rnn_f32_v1_r_is_transposed
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}8.000000e+00, 0.000000e+00]]]]> : tensor<1x1x1x2xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}8.000000e+00, 0.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_v1_r_is_transposed() -> (tensor<1x1x1x2xf32>, tensor<1x1x2xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[1.000000e+00], [0.000000e+00]]]> : tensor<1x2x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Constant dense<[[[5.000000e+00, 7.000000e+00]]]> : tensor<1x1x2xf32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s, %h) <{since = 1}> {activations = ["Relu"], output_sequence = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x2x1xf32>, tensor<1x2x2xf32>, none, none, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x2xf32>)
  return %y#0, %y#1 : tensor<1x1x1x2xf32>, tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_v1_no_output_sequence
// CHECK-DAG: onnx.Constant dense<1.000000e+01> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_v1_no_output_sequence() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 1, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_v1_no_output_sequence_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_v1_no_output_sequence_stays() -> (tensor<2x1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'output_sequence' is 0 and output #0 is read}}
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 1}> {activations = ["Relu"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (tensor<2x1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1 : tensor<2x1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// Sums from the end of each sequence, which is not the end of the padding; 0 where a sequence has no element.
// CHECK-LABEL: @rnn_f32_reverse_lengths
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}3.000000e+00], [6.000000e+01]]], {{\[\[\[}}2.000000e+00], [5.000000e+01]]], {{\[\[\[}}0.000000e+00], [3.000000e+01]]]]> : tensor<3x1x2x1xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}3.000000e+00], [6.000000e+01]]]> : tensor<1x2x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_reverse_lengths() -> (tensor<3x1x2x1xf32>, tensor<1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00], [1.000000e+01]], [[2.000000e+00], [2.000000e+01]], [[9.900000e+01], [3.000000e+01]]]> : tensor<3x2x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<[2, 3]> : tensor<2xi32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s) <{since = 14}> {activations = ["Relu"], direction = "reverse"} : (tensor<3x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, none, tensor<2xi32>) -> (tensor<3x1x2x1xf32>, tensor<1x2x1xf32>)
  return %y#0, %y#1 : tensor<3x1x2x1xf32>, tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_bidirectional_batch_first
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}1.010000e+02], [2.070000e+02]], {{\[\[}}1.030000e+02], [2.060000e+02]], {{\[\[}}1.070000e+02], [2.040000e+02]]], {{\[\[\[}}3.100000e+02], [4.700000e+02]], {{\[\[}}3.300000e+02], [4.600000e+02]], {{\[\[}}3.700000e+02], [4.400000e+02]]]]> : tensor<2x3x2x1xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}1.070000e+02], [2.070000e+02]], {{\[\[}}3.700000e+02], [4.700000e+02]]]> : tensor<2x2x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_bidirectional_batch_first() -> (tensor<2x3x2x1xf32>, tensor<2x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00], [4.000000e+00]], [[1.000000e+01], [2.000000e+01], [4.000000e+01]]]> : tensor<2x3x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  %r = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Constant dense<[[[1.000000e+02], [2.000000e+02]], [[3.000000e+02], [4.000000e+02]]]> : tensor<2x2x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s, %h) <{since = 14}> {activations = ["Relu", "Relu"], direction = "bidirectional", layout = 1 : i64} : (tensor<2x3x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>, none, none, tensor<2x2x1xf32>) -> (tensor<2x3x2x1xf32>, tensor<2x2x1xf32>)
  return %y#0, %y#1 : tensor<2x3x2x1xf32>, tensor<2x2x1xf32>
}

// -----

// As the schema's own default has it: the second is nobody's.
// CHECK-LABEL: @rnn_f32_two_names_for_one_direction
// CHECK-DAG: onnx.Constant dense<1.000000e+01> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_two_names_for_one_direction() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14, outputs = ["", "y1"]}> {activations = ["Relu", "Tanh"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_clip
// CHECK-DAG: onnx.Constant dense<1.500000e+00> : tensor<2x1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_clip() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"], clip = 1.5 : f32} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_clip_lower
// CHECK-DAG: onnx.Constant dense<-3.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_clip_lower() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<-5.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Affine"], activation_alpha = array<f32: 2.0>, activation_beta = array<f32: 0.0>, clip = 1.5 : f32} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_alpha_is_consumed_in_order
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}-2.000000e+00]], {{\[\[}}-1.000000e+00]]]]> : tensor<1x2x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_alpha_is_consumed_in_order() -> tensor<1x2x1x1xf32> {
  %x = onnx.Constant dense<-4.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<2x1x1xf32>
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {direction = "bidirectional", activations = ["LeakyRelu", "LeakyRelu"], activation_alpha = array<f32: 0.5, 0.25>} : (tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %y : tensor<1x2x1x1xf32>
}

// -----

// It was folded: x >= alpha here, and alpha is 1 by default; in ONNX Runtime x > alpha, and 0.
// CHECK-LABEL: @rnn_f32_thresholded_relu_includes_alpha_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_thresholded_relu_includes_alpha_stays() -> tensor<1x3x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00], [5.000000e-01], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: ThresholdedRelu has alpha 1 by default and keeps alpha itself, in ONNX Runtime 0 and not}}
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14, outputs = ["", "y1"]}> {activations = ["ThresholdedRelu"]} : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (none, tensor<1x3x1xf32>)
  return %y#1 : tensor<1x3x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_nan
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}0x7FC00000], [4.000000e+00]]]> : tensor<1x2x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_nan() -> tensor<1x2x1xf32> {
  %x = onnx.Constant dense<[[[0x7FC00000], [2.000000e+00]]]> : tensor<1x2x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<1x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (none, tensor<1x2x1xf32>)
  return %y#1 : tensor<1x2x1xf32>
}

// -----

// 2049 is no f16: rounded after the first step the result would be 1.
// CHECK-LABEL: @rnn_f16_state_is_not_rounded
// CHECK-DAG: onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf16>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f16_state_is_not_rounded() -> tensor<1x1x1xf16> {
  %x = onnx.Constant dense<[[[2.048000e+03]], [[-2.048000e+03]]]> : tensor<2x1x1xf16>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf16>
  %r = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf16>
  %b = onnx.Constant dense<[[1.000000e+00, 0.000000e+00]]> : tensor<1x2xf16>
  %y:2 = onnx.RNN(%x, %w, %r, %b) <{since = 14, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<2x1x1xf16>, tensor<1x1x1xf16>, tensor<1x1x1xf16>, tensor<1x2xf16>) -> (none, tensor<1x1x1xf16>)
  return %y#1 : tensor<1x1x1xf16>
}

// -----

// CHECK-LABEL: @rnn_f64_all_in_double
// CHECK-DAG: onnx.Constant dense<1.000000e+01> : tensor<1x1x1xf64>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f64_all_in_double() -> tensor<1x1x1xf64> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf64>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf64>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf64>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<2x1x1xf64>, tensor<1x1x1xf64>, tensor<1x1x1xf64>) -> (none, tensor<1x1x1xf64>)
  return %y#1 : tensor<1x1x1xf64>
}

// -----

// CHECK-LABEL: @rnn_bf16_v22
// CHECK-DAG: onnx.Constant dense<1.000000e+01> : tensor<1x1x1xbf16>
// CHECK-NOT: onnx.RNN(
func.func @rnn_bf16_v22() -> tensor<1x1x1xbf16> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xbf16>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xbf16>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xbf16>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 22, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<2x1x1xbf16>, tensor<1x1x1xbf16>, tensor<1x1x1xbf16>) -> (none, tensor<1x1x1xbf16>)
  return %y#1 : tensor<1x1x1xbf16>
}

// -----

// CHECK-LABEL: @rnn_f32_no_steps
// CHECK-DAG: onnx.Constant dense<> : tensor<0x1x1x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_no_steps() -> tensor<0x1x1x1xf32> {
  %x = onnx.Constant dense<> : tensor<0x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14, outputs = ["y0", ""]}> {activations = ["Relu"]} : (tensor<0x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (tensor<0x1x1x1xf32>, none)
  return %y#0 : tensor<0x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_no_batch
// CHECK-DAG: onnx.Constant dense<> : tensor<2x1x0x1xf32>
// CHECK-DAG: onnx.Constant dense<> : tensor<1x0x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_no_batch() -> (tensor<2x1x0x1xf32>, tensor<1x0x1xf32>) {
  %x = onnx.Constant dense<> : tensor<2x0x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"]} : (tensor<2x0x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (tensor<2x1x0x1xf32>, tensor<1x0x1xf32>)
  return %y#0, %y#1 : tensor<2x1x0x1xf32>, tensor<1x0x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_empty_sequence_y
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}0.000000e+00], [2.000000e+00]]], {{\[\[\[}}0.000000e+00], [6.000000e+00]]]]> : tensor<2x1x2x1xf32>
// CHECK-NOT: onnx.RNN(
func.func @rnn_f32_empty_sequence_y() -> tensor<2x1x2x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00]]]> : tensor<2x2x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<[0, 2]> : tensor<2xi32>
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s) <{since = 14, outputs = ["y0", ""]}> {activations = ["Relu"]} : (tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, none, tensor<2xi32>) -> (tensor<2x1x2x1xf32>, none)
  return %y#0 : tensor<2x1x2x1xf32>
}

// -----

// ONNX Runtime says 0, the equations the initial state.
// CHECK-LABEL: @rnn_f32_empty_sequence_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_empty_sequence_stays() -> tensor<1x2x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00]]]> : tensor<2x2x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<[0, 2]> : tensor<2xi32>
  %h = onnx.Constant dense<[[[7.000000e+00], [8.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: sequence 0 has no element, so no last state}}
  %y:2 = onnx.RNN(%x, %w, %r, %b, %s, %h) <{since = 14, outputs = ["", "y1"]}> {activations = ["Relu"]} : (tensor<2x2x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, none, tensor<2xi32>, tensor<1x2x1xf32>) -> (none, tensor<1x2x1xf32>)
  return %y#1 : tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_length_beyond_x_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_length_beyond_x_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<3> : tensor<1xi32>
  // expected-remark @+1 {{onnx.RNN not folded: sequence_lens [0] is 3, X has 2 time steps}}
  %y = onnx.RNN(%x, %w, %r, %b, %s) <{since = 14}> {activations = ["Relu"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, none, tensor<1xi32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_lengths_of_another_batch_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_lengths_of_another_batch_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<1> : tensor<2xi32>
  // expected-remark @+1 {{onnx.RNN not folded: sequence_lens has shape [2], expected [1]}}
  %y = onnx.RNN(%x, %w, %r, %b, %s) <{since = 14}> {activations = ["Relu"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, none, tensor<2xi32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_direction_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_direction_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'direction' is 'foward', expected forward, reverse or bidirectional}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"], direction = "foward"} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_hidden_size_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_hidden_size_stays() -> tensor<2x1x1x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'hidden_size' is 2, R has shape [1, 1, 1]}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"], hidden_size = 2 : i64} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x2xf32>
  return %y : tensor<2x1x1x2xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_weights_of_another_size_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_weights_of_another_size_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x2xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: W has shape [1, 1, 2], expected [1, 1, 1]}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"]} : (tensor<2x1x1xf32>, tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_too_many_alphas_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_too_many_alphas_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'activation_alpha' has 2 values for 1 functions that take one}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["LeakyRelu"], activation_alpha = array<f32: 0.5, 0.25>} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_affine_without_alpha_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_affine_without_alpha_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: Affine has no default for its alpha and beta}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Affine"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_unknown_function_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_unknown_function_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'activations' names 'Swish', which is not a function}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Swish"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_function_in_lower_case_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_function_in_lower_case_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'activations' names 'relu', which ONNX Runtime takes for 'Relu'}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["relu"]} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_too_few_functions_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_too_few_functions_stays() -> tensor<2x2x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  %r = onnx.Constant dense<1.000000e+00> : tensor<2x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'activations' has 1 names, expected 2}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"], direction = "bidirectional"} : (tensor<2x1x1xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x2x1x1xf32>
  return %y : tensor<2x2x1x1xf32>
}

// -----

// CHECK-LABEL: @rnn_f32_negative_clip_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_negative_clip_stays() -> tensor<2x1x1x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[2.000000e+00]]]> : tensor<2x1x1xf32>
  %w = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: attribute 'clip' is negative or no number}}
  %y = onnx.RNN(%x, %w, %r) <{since = 14}> {activations = ["Relu"], clip = -1.0 : f32} : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1x1xf32>
  return %y : tensor<2x1x1x1xf32>
}

// -----

// It was NaN.
// CHECK-LABEL: @rnn_f32_hard_sigmoid_of_nan_stays
// CHECK: onnx.RNN(
func.func @rnn_f32_hard_sigmoid_of_nan_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0x7FC00000> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %u = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.RNN not folded: HardSigmoid of a NaN is a NaN, and 0 in ONNX Runtime}}
  %r = onnx.RNN(%x, %w, %u) <{since = 14}> {activations = ["HardSigmoid"]} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}
