// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the equations of the specification. Weights of 0 make Sigmoid 0.5; Affine with alpha 1 and
// beta 0 is x itself.

// r * h = 2, g = 1 + 2 * 2 + 3 = 8, 0.5 * 8 + 0.5 * 4
// CHECK-LABEL: @gru_f32
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32() -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x6xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, none, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// g = 1 + 0.5 * (4 * 2 + 3) = 6.5, 0.5 * 6.5 + 0.5 * 4
// CHECK-LABEL: @gru_f32_linear_before_reset
// CHECK-DAG: onnx.Constant dense<5.250000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<5.250000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_linear_before_reset() -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x6xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, linear_before_reset = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, none, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gru_f32_v3_linear_before_reset
// CHECK-DAG: onnx.Constant dense<5.250000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_v3_linear_before_reset() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x6xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 3, outputs = ["", "y1"]}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, linear_before_reset = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// z = 0.25, r = 0.5, g = 4 + 0.5 * 8 = 8; with z and r exchanged it would be 7.
// CHECK-LABEL: @gru_f32_gates_are_z_r_h
// CHECK-DAG: onnx.Constant dense<8.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_gates_are_z_r_h() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[2.500000e-01], [5.000000e-01], [4.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Constant dense<8.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 22, outputs = ["", "y1"]}> {activations = ["HardSigmoid", "Relu"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, none, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gru_f32_defaults
// CHECK-DAG: onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_defaults() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<1.000000e+00> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[1.000000e+00], [1.000000e+00], [0.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Absent
  %s = onnx.Absent
  %h = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 7, outputs = ["", "y1"]}> : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, none, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// The default of version 1 is spelt "foward".
// CHECK-LABEL: @gru_f32_v1_direction_by_default
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_v1_direction_by_default() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x6xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 1, outputs = ["", "y1"]}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, none, tensor<1x1x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gru_f32_v1_foward
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_v1_foward() -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00]]> : tensor<1x6xf32>
  %s = onnx.Absent
  %h = onnx.Constant dense<4.000000e+00> : tensor<1x1x1xf32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s, %h) <{since = 1}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, direction = "foward", output_sequence = 1 : i64} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x6xf32>, none, tensor<1x1x1xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %y#0, %y#1 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// -----

// h = (x + h) / 2, from the end of each sequence
// CHECK-LABEL: @gru_f32_reverse_lengths
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}5.000000e-01], [1.250000e+00]]], {{\[\[\[}}0.000000e+00], [1.500000e+00]]]]> : tensor<2x1x2x1xf32>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}5.000000e-01], [1.250000e+00]]]> : tensor<1x2x1xf32>
// CHECK-NOT: onnx.GRU(
func.func @gru_f32_reverse_lengths() -> (tensor<2x1x2x1xf32>, tensor<1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00], [1.000000e+00]], [[3.000000e+00], [3.000000e+00]]]> : tensor<2x2x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x3x1xf32>
  %b = onnx.Absent
  %s = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  %y:2 = onnx.GRU(%x, %w, %r, %b, %s) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, direction = "reverse"} : (tensor<2x2x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, none, tensor<2xi32>) -> (tensor<2x1x2x1xf32>, tensor<1x2x1xf32>)
  return %y#0, %y#1 : tensor<2x1x2x1xf32>, tensor<1x2x1xf32>
}

// -----

// CHECK-LABEL: @gru_f16_layout_1
// CHECK-DAG: onnx.Constant dense<{{\[\[\[\[}}5.000000e-01]]], {{\[\[\[}}1.500000e+00]]]]> : tensor<2x1x1x1xf16>
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}5.000000e-01]], {{\[\[}}1.500000e+00]]]> : tensor<2x1x1xf16>
// CHECK-NOT: onnx.GRU(
func.func @gru_f16_layout_1() -> (tensor<2x1x1x1xf16>, tensor<2x1x1xf16>) {
  %x = onnx.Constant dense<[[[1.000000e+00]], [[3.000000e+00]]]> : tensor<2x1x1xf16>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf16>
  %r = onnx.Constant dense<0.000000e+00> : tensor<1x3x1xf16>
  %y:2 = onnx.GRU(%x, %w, %r) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, layout = 1 : i64} : (tensor<2x1x1xf16>, tensor<1x3x1xf16>, tensor<1x3x1xf16>) -> (tensor<2x1x1x1xf16>, tensor<2x1x1xf16>)
  return %y#0, %y#1 : tensor<2x1x1x1xf16>, tensor<2x1x1xf16>
}

// -----

// CHECK-LABEL: @gru_f32_bias_of_another_size_stays
// CHECK: onnx.GRU(
func.func @gru_f32_bias_of_another_size_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  %b = onnx.Constant dense<0.000000e+00> : tensor<1x3xf32>
  // expected-remark @+1 {{onnx.GRU not folded: B has shape [1, 3], expected [1, 6]}}
  %y = onnx.GRU(%x, %w, %r, %b) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @gru_f32_foward_stays
// CHECK: onnx.GRU(
func.func @gru_f32_foward_stays() -> tensor<1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  // expected-remark @+1 {{onnx.GRU not folded: attribute 'direction' is 'foward', expected forward, reverse or bidirectional}}
  %y:2 = onnx.GRU(%x, %w, %r) <{since = 3, outputs = ["", "y1"]}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, direction = "foward"} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (none, tensor<1x1x1xf32>)
  return %y#1 : tensor<1x1x1xf32>
}

// -----

// CHECK-LABEL: @gru_f32_layout_2_stays
// CHECK: onnx.GRU(
func.func @gru_f32_layout_2_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %w = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [1.000000e+00]]]> : tensor<1x3x1xf32>
  %r = onnx.Constant dense<[[[0.000000e+00], [0.000000e+00], [2.000000e+00]]]> : tensor<1x3x1xf32>
  // expected-remark @+1 {{onnx.GRU not folded: attribute 'layout' is 2}}
  %y = onnx.GRU(%x, %w, %r) <{since = 14}> {activations = ["Sigmoid", "Affine"], activation_alpha = array<f32: 1.0>, activation_beta = array<f32: 0.0>, layout = 2 : i64} : (tensor<1x1x1xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x1x1x1xf32>
  return %y : tensor<1x1x1x1xf32>
}
