// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand from the recurrences in the text. exp(g) is 0 for g = -inf, 1 for g = 0.

// 2 * 6 / sqrt(4).
// CHECK-LABEL: @linearattention_default_scale
// CHECK-DAG: onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[6.000000e+00], [0.000000e+00], [0.000000e+00], [0.000000e+00]]]]> : tensor<1x1x4x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_default_scale() -> (tensor<1x1x1xf32>, tensor<1x1x4x1xf32>) {
  %x = onnx.Constant dense<[[[2.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x1x4xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x1x4xf32>
  %z = onnx.Constant dense<6.000000e+00> : tensor<1x1x1xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear"} : (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> (tensor<1x1x1xf32>, tensor<1x1x4x1xf32>)
  return %r#0, %r#1 : tensor<1x1x1xf32>, tensor<1x1x4x1xf32>
}

// -----

// CHECK-LABEL: @linearattention_gated_forgets
// CHECK{LITERAL}: onnx.Constant dense<[[[5.000000e+00], [4.900000e+01]]]> : tensor<1x2x1xf32>
// CHECK-DAG: onnx.Constant dense<7.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_gated_forgets() -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00], [0xFF800000, 0.000000e+00]]]> : tensor<1x2x2xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u, %v) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "gated", scale = 1.0 : f32} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, none, tensor<1x2x2xf32>) -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>)
  return %r#0, %r#1 : tensor<1x2x1xf32>, tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @linearattention_gated_per_head_with_past
// CHECK{LITERAL}: onnx.Constant dense<[[[5.050000e+02], [4.900000e+01]]]> : tensor<1x2x1xf32>
// CHECK-DAG: onnx.Constant dense<7.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_gated_per_head_with_past() -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Constant dense<[[[[1.000000e+02], [2.000000e+02]]]]> : tensor<1x1x2x1xf32>
  %v = onnx.Constant dense<[[[0.000000e+00], [0xFF800000]]]> : tensor<1x2x1xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u, %v) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "gated", scale = 1.0 : f32} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2x1xf32>) -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>)
  return %r#0, %r#1 : tensor<1x2x1xf32>, tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @linearattention_gated_delta
// CHECK{LITERAL}: onnx.Constant dense<[[[6.500000e+00], [2.300000e+01]]]> : tensor<1x2x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[7.000000e+00], [5.000000e-01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_gated_delta() -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Constant dense<[[[[8.000000e+00], [1.600000e+01]]]]> : tensor<1x1x2x1xf32>
  %v = onnx.Constant dense<[[[0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00]]]> : tensor<1x2x2xf32>
  %w = onnx.Constant dense<[[[5.000000e-01], [1.000000e+00]]]> : tensor<1x2x1xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u, %v, %w) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, scale = 1.0 : f32} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> (tensor<1x2x1xf32>, tensor<1x1x2x1xf32>)
  return %r#0, %r#1 : tensor<1x2x1xf32>, tensor<1x1x2x1xf32>
}

// -----

// 2049 is no f16; the state does not know.
// CHECK-LABEL: @linearattention_f16_with_a_state_of_f32
// CHECK{LITERAL}: onnx.Constant dense<[[[2.048000e+03], [2.050000e+03]]]> : tensor<1x2x1xf16>
// CHECK-DAG: onnx.Constant dense<2.050000e+03> : tensor<1x1x1x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_f16_with_a_state_of_f32() -> (tensor<1x2x1xf16>, tensor<1x1x1x1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x2x1xf16>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x2x1xf16>
  %z = onnx.Constant dense<1.000000e+00> : tensor<1x2x1xf16>
  %u = onnx.Constant dense<2.048000e+03> : tensor<1x1x1x1xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear", scale = 1.0 : f32} : (tensor<1x2x1xf16>, tensor<1x2x1xf16>, tensor<1x2x1xf16>, tensor<1x1x1x1xf32>) -> (tensor<1x2x1xf16>, tensor<1x1x1x1xf32>)
  return %r#0, %r#1 : tensor<1x2x1xf16>, tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @linearattention_no_tokens
// CHECK-DAG: onnx.Constant dense<> : tensor<1x0x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[8.000000e+00], [1.600000e+01]]]]> : tensor<1x1x2x1xf32>
// CHECK-NOT: onnx.LinearAttention(
func.func @linearattention_no_tokens() -> (tensor<1x0x1xf32>, tensor<1x1x2x1xf32>) {
  %x = onnx.Constant dense<> : tensor<1x0x2xf32>
  %y = onnx.Constant dense<> : tensor<1x0x2xf32>
  %z = onnx.Constant dense<> : tensor<1x0x1xf32>
  %u = onnx.Constant dense<[[[[8.000000e+00], [1.600000e+01]]]]> : tensor<1x1x2x1xf32>
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear"} : (tensor<1x0x2xf32>, tensor<1x0x2xf32>, tensor<1x0x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x0x1xf32>, tensor<1x1x2x1xf32>)
  return %r#0, %r#1 : tensor<1x0x1xf32>, tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @linearattention_gated_without_decay_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_gated_without_decay_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: input #4 is missing, attribute 'update_rule' is 'gated'}}
  %r:2 = onnx.LinearAttention(%x, %y, %z) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "gated"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_linear_with_beta_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_linear_with_beta_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Absent
  %w = onnx.Constant dense<[[[5.000000e-01], [1.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: input #5 is there, attribute 'update_rule' is 'linear'}}
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u, %v, %w) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, none, none, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_heads_that_do_not_divide_stay
// CHECK: onnx.LinearAttention(
func.func @linearattention_heads_that_do_not_divide_stay() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: attributes 'q_num_heads' and 'kv_num_heads' are 2 and 4}}
  %r:2 = onnx.LinearAttention(%x, %y, %z) <{since = 27}> {q_num_heads = 2 : i64, kv_num_heads = 4 : i64, update_rule = "linear"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_key_of_another_size_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_key_of_another_size_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x2x1xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: query, key and value of shapes [1, 2, 2], [1, 2, 1] and [1, 2, 1] do not go together}}
  %r:2 = onnx.LinearAttention(%x, %y, %z) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear"} : (tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_decay_of_another_size_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_decay_of_another_size_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<0.000000e+00> : tensor<1x2x3xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: input #4 has shape [1, 2, 3], expected [1, 2, 2] or one for each head}}
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u, %v) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "gated"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, none, tensor<1x2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_past_of_another_shape_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_past_of_another_shape_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  %u = onnx.Constant dense<8.000000e+00> : tensor<1x1x1x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: the past state has shape [1, 1, 1, 1], expected [1, 1, 2, 1]}}
  %r:2 = onnx.LinearAttention(%x, %y, %z, %u) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "linear"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x1x1x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @linearattention_unknown_rule_stays
// CHECK: onnx.LinearAttention(
func.func @linearattention_unknown_rule_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[5.000000e+00], [7.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.LinearAttention not folded: attribute 'update_rule' is 'cubic'}}
  %r:2 = onnx.LinearAttention(%x, %y, %z) <{since = 27}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64, update_rule = "cubic"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}
