// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the equations of the specification. HardSigmoid with alpha 1 and beta 0 is x itself between 0
// and 1, Relu from 0 on.

// i = 0.25, o = 1, f = 0.5, g = 8: c = 0.5 * 4 + 0.25 * 8 = 4, h = 1 * 4
// CHECK-LABEL: @lstm_f32_gates_are_i_o_f_c
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_gates_are_i_o_f_c() -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// f = 1 - i = 0.75: c = 0.75 * 4 + 0.25 * 8
// CHECK-LABEL: @lstm_f32_input_forget
// CHECK-DAG: onnx.Constant dense<5.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<5.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_input_forget() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14, outputs = ["", "y1", "y2"]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, input_forget = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#1, %y#2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// i = 0.25 + 0.125 * 4 = 0.75: c = 0.5 * 4 + 0.75 * 8 = 8; o = 1 - 0.0625 * 8 = 0.5, of the new c
// CHECK-LABEL: @lstm_f32_peepholes
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<8.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_peepholes() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %p = onnx.Constant dense<[[1.250000e-01, -6.250000e-02, 0.000000e+00]]> : tensor<1x3xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c, %p) <{since = 22, outputs = ["", "y1", "y2"]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>, tensor<1x3xf32>) -> (none, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#1, %y#2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// f = 0.5 + 0.125 * 4 = 1
// CHECK-LABEL: @lstm_f32_peephole_of_f
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_peephole_of_f() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %p = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 1.250000e-01]]> : tensor<1x3xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c, %p) <{since = 14, outputs = ["", "", "y2"]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>, tensor<1x3xf32>) -> (none, none, tensor<1x1x1xf32>)
  return %y#2 : tensor<1x1x1xf32>
}

// -----

// g = 8 + 2 * 3 + 30 = 44: c = 2 + 0.25 * 44
// CHECK-LABEL: @lstm_f32_recurrence_bias_initial_h
// CHECK-DAG: onnx.Constant dense<1.300000e+01> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_recurrence_bias_initial_h() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x4x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+01, 0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+01]]> : tensor<1x8xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14, outputs = ["", "", "y2"]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, tensor<1x8xf32>, none, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> (none, none, tensor<1x1x1xf32>)
  return %y#2 : tensor<1x1x1xf32>
}

// -----

// It was folded: h's input is limited to 2, as the text has it. ONNX Runtime does not limit it.
// CHECK-LABEL: @lstm_f32_clip_is_for_all_functions_stays
// CHECK: onnx.LSTM(
func.func @lstm_f32_clip_is_for_all_functions_stays() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.LSTM not folded: attribute 'clip' bounds the input of the third function too, which ONNX Runtime does not bound}}
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14, outputs = ["", "y1", "y2"]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, clip = 2.0 : f32} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#1, %y#2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// i = o = f = 0.5, g = 0: c = 1, h = 0.5 * tanh(1) = 0.38079707797788
// CHECK-LABEL: @lstm_f32_defaults
// CHECK-DAG: onnx.Constant dense<0.380797088> : tensor<1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_defaults() -> (tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<2.000000e+00> : tensor<1x1x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 7, outputs = ["", "y1", "y2"]}> : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#1, %y#2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @lstm_f32_v1_output_sequence
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_v1_output_sequence() -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 1}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, output_sequence = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// A NaN in the padding is never read.
// CHECK-LABEL: @lstm_f32_bidirectional_lengths_layout_1
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}4.000000e+00], [6.000000e+00]], {{\[\[}}0.000000e+00], [0.000000e+00]]]]> : tensor<1x2x2x1xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}4.000000e+00], [6.000000e+00]]]> : tensor<1x2x1xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}4.000000e+00], [6.000000e+00]]]> : tensor<1x2x1xf32>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_f32_bidirectional_lengths_layout_1() -> (tensor<1x2x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00], [0x7FC00000]]]> : tensor<1x2x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]], [[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<2x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<2x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<1> : tensor<1xi32>
  %h = onnx.Absent
  %c = onnx.Constant dense<[[[4.000000e+00], [8.000000e+00]]]> : tensor<1x2x1xf32>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14}> {activations = ["HardSigmoid", "Relu", "Relu", "HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0, 1.0>, activation_beta = array<f32: 0.0, 0.0>, direction = "bidirectional", layout = 1 : i64} : (tensor<1x2x1xf32>, tensor<2x4x1xf32>, tensor<2x4x1xf32>, none, tensor<1xi32>, none, tensor<1x2x1xf32>) -> (tensor<1x2x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1x2x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @lstm_bf16_v22
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1x1x1x1xbf16>
// CHECK-NOT: onnx.LSTM(
func.func @lstm_bf16_v22() -> tensor<1x1x1x1xbf16> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xbf16>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xbf16>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xbf16>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xbf16>
  %y:3 = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 22, outputs = ["y0", "", ""]}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xbf16>, tensor<1x4x1xbf16>, tensor<1x4x1xbf16>, none, none, none, tensor<1x1x1xbf16>) -> (tensor<1x1x1x1xbf16>, none, none)
  return %y#0 : tensor<1x1x1x1xbf16>
}

// -----

// CHECK-LABEL: @lstm_f32_initial_c_of_another_batch_stays
// CHECK: onnx.LSTM(
func.func @lstm_f32_initial_c_of_another_batch_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Constant dense<4.000000e+00> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LSTM not folded: initial_c has shape [1, 2, 1], expected [1, 1, 1]}}
  %y = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c) <{since = 14}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, tensor<1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @lstm_f32_peepholes_of_another_size_stays
// CHECK: onnx.LSTM(
func.func @lstm_f32_peepholes_of_another_size_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Absent
  %c = onnx.Absent
  %p = onnx.Constant dense<1.000000e+00> : tensor<1x4xf32>
  // expected-remark @+1 {{onnx.LSTM not folded: P has shape [1, 4], expected [1, 3]}}
  %y = onnx.LSTM(%x, %w, %r, %b, %s, %h, %c, %p) <{since = 14}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>, none, none, none, none, tensor<1x4xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @lstm_f32_input_forget_2_stays
// CHECK: onnx.LSTM(
func.func @lstm_f32_input_forget_2_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [1.000000e+00], [5.000000e-01], [8.000000e+00]]]> : tensor<1x4x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x4x1xf32>
  // expected-remark @+1 {{onnx.LSTM not folded: attribute 'input_forget' is 2}}
  %y = onnx.LSTM(%x, %w, %r) <{since = 14}> {activations = ["HardSigmoid", "Relu", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, input_forget = 2 : i64} : (tensor<1x1x1xf32>, tensor<1x4x1xf32>, tensor<1x4x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}
