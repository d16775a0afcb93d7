// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand. Queries of 0 see all keys alike, so that a result is the mean of the values
// that are seen; scores of some 1e6 pick out the largest.

// Head 0 picks its first key, head 1 sees both alike.
// CHECK-LABEL: @attention_3d_heads_lie_side_by_side
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 2.000000e+01, 3.000000e+01]]]> : tensor<1x1x4xf32>
// CHECK-NEXT: return
func.func @attention_3d_heads_lie_side_by_side() -> tensor<1x1x4xf32> {
  %x = onnx.Constant dense<[[[4.096000e+03, 0.000000e+00]]]> : tensor<1x1x2xf32>
  %y = onnx.Constant dense<[[[4.096000e+03, 0.000000e+00], [0.000000e+00, 4.096000e+03]]]> : tensor<1x2x2xf32>
  %z = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 1.000000e+01, 2.000000e+01], [3.000000e+00, 4.000000e+00, 3.000000e+01, 4.000000e+01]]]> : tensor<1x2x4xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> {q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// -----

// Heads 0 and 1 of q share head 0 of k and v.
// CHECK-LABEL: @attention_grouped_queries
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.000000e+00]], [[2.000000e+00]], [[2.000000e+01]], [[2.000000e+01]]]]> : tensor<1x4x1x1xf32>
// CHECK-NEXT: return
func.func @attention_grouped_queries() -> tensor<1x4x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x4x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x2x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]], [[1.000000e+01], [3.000000e+01]]]]> : tensor<1x2x2x1xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 25}> : (tensor<1x4x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x4x1x1xf32>
  return %r : tensor<1x4x1x1xf32>
}

// -----

// A query that sees no key has only zeros.
// CHECK-LABEL: @attention_mask_bool_and_a_blocked_row
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00], [0.000000e+00], [2.000000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: return
func.func @attention_mask_bool_and_a_blocked_row() -> tensor<1x1x3x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[true, false], [false, false], [true, true]]> : tensor<3x2xi1>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x3x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<3x2xi1>) -> tensor<1x1x3x1xf32>
  return %r : tensor<1x1x3x1xf32>
}

// -----

// CHECK-LABEL: @attention_mask_of_numbers
// CHECK{LITERAL}: onnx.Constant dense<[[[[3.000000e+00], [1.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @attention_mask_of_numbers() -> tensor<1x1x2x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[0xFF800000, 5.000000e+00], [1.000000e+03, -1.000000e+03]]> : tensor<2x2xf32>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<2x2xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @attention_mask_of_infinities_blocks_too
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_mask_of_infinities_blocks_too() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<0xFF800000> : tensor<1x2xf32>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_mask_of_one_column_broadcasts_in_v23
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.000000e+00], [0.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @attention_mask_of_one_column_broadcasts_in_v23() -> tensor<1x1x2x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[true], [false]]> : tensor<2x1xi1>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<2x1xi1>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

// CHECK-LABEL: @attention_causal_and_mask
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.000000e+00], [4.000000e+00], [6.500000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: return
func.func @attention_causal_and_mask() -> tensor<1x1x3x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  %z = onnx.Constant dense<[[[[2.000000e+00], [4.000000e+00], [9.000000e+00]]]]> : tensor<1x1x3x1xf32>
  %u = onnx.Constant dense<[[false, true, true]]> : tensor<1x3xi1>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 24}> {is_causal = 1 : i64} : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x3xi1>) -> tensor<1x1x3x1xf32>
  return %r : tensor<1x1x3x1xf32>
}

// -----

// CHECK-LABEL: @attention_causal_and_mask_of_one_dimension
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.000000e+00], [4.000000e+00], [6.500000e+00]]]]> : tensor<1x1x3x1xf32>
// CHECK-NEXT: return
func.func @attention_causal_and_mask_of_one_dimension() -> tensor<1x1x3x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  %z = onnx.Constant dense<[[[[2.000000e+00], [4.000000e+00], [9.000000e+00]]]]> : tensor<1x1x3x1xf32>
  %u = onnx.Constant dense<[false, true, true]> : tensor<3xi1>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 24}> {is_causal = 1 : i64} : (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<3xi1>) -> tensor<1x1x3x1xf32>
  return %r : tensor<1x1x3x1xf32>
}

// -----

// Queries of 0: the keys do not matter. Query 0 sees 3 keys, query 1 all 4.
// CHECK-LABEL: @attention_past_and_present
// CHECK{LITERAL}: onnx.Constant dense<[[[[3.000000e+00], [4.500000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[7.000000e+00], [8.000000e+00], [5.000000e+00], [6.000000e+00]]]]> : tensor<1x1x4x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [9.000000e+00]]]]> : tensor<1x1x4x1xf32>
// CHECK-NOT: onnx.Attention(
func.func @attention_past_and_present() -> (tensor<1x1x2x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %y = onnx.Constant dense<[[[[5.000000e+00], [6.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[5.000000e+00], [9.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<[[[[7.000000e+00], [8.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %w = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r:3 = onnx.Attention(%x, %y, %z, %u, %v, %w) <{since = 23}> {is_causal = 1 : i64} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x1x2x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x1x2x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>
}

// -----

// Where fewer keys are valid than there are queries, the first ones see none (fixed in ONNX 1.23).
// CHECK-LABEL: @attention_causal_counts_from_the_valid_keys
// CHECK{LITERAL}: onnx.Constant dense<[[[[3.000000e+00], [5.000000e+00]]], [[[2.000000e+00], [3.000000e+00]]], [[[0.000000e+00], [2.000000e+00]]]]> : tensor<3x1x2x1xf32>
// CHECK-NEXT: return
func.func @attention_causal_counts_from_the_valid_keys() -> tensor<3x1x2x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<3x1x2x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<3x1x3x1xf32>
  %z = onnx.Constant dense<[[[[2.000000e+00], [4.000000e+00], [9.000000e+00]]], [[[2.000000e+00], [4.000000e+00], [9.000000e+00]]], [[[2.000000e+00], [4.000000e+00], [9.000000e+00]]]]> : tensor<3x1x3x1xf32>
  %u = onnx.Absent
  %v = onnx.Absent
  %w = onnx.Absent
  %s = onnx.Constant dense<[3, 2, 1]> : tensor<3xi64>
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w, %s) <{since = 24}> {is_causal = 1 : i64} : (tensor<3x1x2x1xf32>, tensor<3x1x3x1xf32>, tensor<3x1x3x1xf32>, none, none, none, tensor<3xi64>) -> tensor<3x1x2x1xf32>
  return %r : tensor<3x1x2x1xf32>
}

// -----

// The query stands at position 2; key 3 is padding.
// CHECK-LABEL: @attention_window_of_valid_keys
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_window_of_valid_keys() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x4x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [9.000000e+00]]]]> : tensor<1x1x4x1xf32>
  %u = onnx.Absent
  %v = onnx.Absent
  %w = onnx.Absent
  %s = onnx.Constant dense<3> : tensor<1xi64>
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w, %s) <{since = 25}> {left_window_size = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, none, none, none, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_v24_knows_no_windows
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @attention_v24_knows_no_windows() -> tensor<1x1x2x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

// Of the product itself: the reference evaluator gives what the cap makes of it.
// CHECK-LABEL: @attention_qk_output_mode_0
// CHECK-DAG: onnx.Constant dense<3.000000e+00> : tensor<1x1x1x1xf32>
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+06, -1.000000e+06]]]]> : tensor<1x1x1x2xf32>
// CHECK-NOT: onnx.Attention(
func.func @attention_qk_output_mode_0() -> (tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>) {
  %x = onnx.Constant dense<1.000000e+03> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<[[[[1.000000e+03], [-1.000000e+03]]]]> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<3.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[5.000000e-01, -1.000000e+00]]> : tensor<1x2xf32>
  %r:4 = onnx.Attention(%x, %y, %z, %u) <{since = 24}> {qk_matmul_output_mode = 0 : i64, softcap = 4.0 : f32} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2xf32>) -> (tensor<1x1x1x1xf32>, none, none, tensor<1x1x1x2xf32>)
  return %r#0, %r#3 : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @attention_negative_softcap_stays
// CHECK: onnx.Attention(
func.func @attention_negative_softcap_stays() -> (tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>) {
  %x = onnx.Constant dense<1.000000e+03> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<[[[[1.000000e+03], [-1.000000e+03]]]]> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<3.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'softcap' is negative, which runtimes take for none}}
  %r:4 = onnx.Attention(%x, %y, %z) <{since = 24}> {qk_matmul_output_mode = 1 : i64, softcap = -4.0 : f32} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x1x1x1xf32>, none, none, tensor<1x1x1x2xf32>)
  return %r#0, %r#3 : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>
}

// -----

// 2049 and 2048 are the same in f16.
// CHECK-LABEL: @attention_softmax_precision_rounds
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_softmax_precision_rounds() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<2.049000e+03> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[0.000000e+00, -1.000000e+00]]> : tensor<1x2xf32>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> {softmax_precision = 10 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_f16_rounds_once
// CHECK: onnx.Constant dense<1.025000e+03> : tensor<1x1x1x1xf16>
// CHECK-NEXT: return
func.func @attention_f16_rounds_once() -> tensor<1x1x1x1xf16> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf16>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf16>
  %z = onnx.Constant dense<[[[[2.048000e+03], [2.000000e+00]]]]> : tensor<1x1x2x1xf16>
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x1x1xf16>, tensor<1x1x2x1xf16>, tensor<1x1x2x1xf16>) -> tensor<1x1x1x1xf16>
  return %r : tensor<1x1x1x1xf16>
}

// -----

// CHECK-LABEL: @attention_f64_values_of_f32_queries
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_f64_values_of_f32_queries() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf64>
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_no_keys
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1x2x3xf32>
// CHECK-NEXT: return
func.func @attention_no_keys() -> tensor<1x1x2x3xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %y = onnx.Constant dense<> : tensor<1x1x0x1xf32>
  %z = onnx.Constant dense<> : tensor<1x1x0x3xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x2x1xf32>, tensor<1x1x0x1xf32>, tensor<1x1x0x3xf32>) -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// -----

// CHECK-LABEL: @attention_nan_is_handed_on
// CHECK: onnx.Constant dense<0x7FC00000> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_nan_is_handed_on() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[0x7FC00000], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_scale_negative_stays
// CHECK: onnx.Attention(
func.func @attention_scale_negative_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'scale' has no square root}}
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> {scale = -1.0 : f32} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_heads_do_not_divide_stays
// CHECK: onnx.Attention(
func.func @attention_heads_do_not_divide_stays() -> tensor<1x3x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x3x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x2x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x2x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: Q, K and V of shapes [1, 3, 1, 1], [1, 2, 2, 1] and [1, 2, 2, 1] do not go together}}
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x3x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x3x1x1xf32>
  return %r : tensor<1x3x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_sizes_differ_stays
// CHECK: onnx.Attention(
func.func @attention_sizes_differ_stays() -> tensor<1x1x1x2xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x2xf32>
  // expected-remark @+1 {{onnx.Attention not folded: Q, K and V of shapes [1, 1, 1, 2], [1, 1, 2, 1] and [1, 1, 2, 2] do not go together}}
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x1x2xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x2xf32>
  return %r : tensor<1x1x1x2xf32>
}

// -----

// CHECK-LABEL: @attention_3d_without_heads_stays
// CHECK: onnx.Attention(
func.func @attention_3d_without_heads_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'q_num_heads' is missing, an input has shape [1, 1, 2]}}
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @attention_ranks_differ_stays
// CHECK: onnx.Attention(
func.func @attention_ranks_differ_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x2xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2xf32>
  // expected-remark @+1 {{onnx.Attention not folded: Q, K and V have ranks 3, 4 and 3, expected 3 or 4 each}}
  %r = onnx.Attention(%x, %y, %z) <{since = 23}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64} : (tensor<1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @attention_past_value_missing_stays
// CHECK: onnx.Attention(
func.func @attention_past_value_missing_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: only one of past_key and past_value is there}}
  %r = onnx.Attention(%x, %y, %z, %u, %v) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_past_of_another_size_stays
// CHECK: onnx.Attention(
func.func @attention_past_of_another_size_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x2xf32>
  %w = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: the past of input #4 has shape [1, 1, 1, 2] and type f32, what follows it [1, 1, 2, 1] and f32}}
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_mask_does_not_broadcast_stays
// CHECK: onnx.Attention(
func.func @attention_mask_does_not_broadcast_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<0.000000e+00> : tensor<1x3xf32>
  // expected-remark @+1 {{onnx.Attention not folded: the mask has shape [1, 3], which does not broadcast to [1, 1, 1, 2]}}
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 23}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x3xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_valid_keys_beyond_all_stay
// CHECK: onnx.Attention(
func.func @attention_valid_keys_beyond_all_stay() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Absent
  %w = onnx.Absent
  %s = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Attention not folded: nonpad_kv_seqlen contains 3, there are 2 keys}}
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w, %s) <{since = 24}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, none, none, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_valid_keys_beyond_the_mask_stay
// CHECK: onnx.Attention(
func.func @attention_valid_keys_beyond_the_mask_stay() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<0.000000e+00> : tensor<1x1xf32>
  %v = onnx.Absent
  %w = onnx.Absent
  %s = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Attention not folded: nonpad_kv_seqlen contains 2, there are 1 keys}}
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w, %s) <{since = 24}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1xf32>, none, none, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_valid_keys_and_past_stay
// CHECK: onnx.Attention(
func.func @attention_valid_keys_and_past_stay() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %u = onnx.Absent
  %v = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %w = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %s = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Attention not folded: nonpad_kv_seqlen is given with past or present, expected neither}}
  %r = onnx.Attention(%x, %y, %z, %u, %v, %w, %s) <{since = 24}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi64>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_mode_4_stays
// CHECK: onnx.Attention(
func.func @attention_mode_4_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'qk_matmul_output_mode' is 4, expected 0 to 3}}
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> {qk_matmul_output_mode = 4 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_softmax_precision_of_integers_stays
// CHECK: onnx.Attention(
func.func @attention_softmax_precision_of_integers_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'softmax_precision' is 7, expected 1, 10, 11 or 16}}
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> {softmax_precision = 7 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// Inputs without elements and 32 GiB of scores.
// CHECK-LABEL: @attention_larger_than_the_limit_stays
// CHECK: onnx.Attention(
func.func @attention_larger_than_the_limit_stays() -> tensor<1x1x65536x1xf32> {
  %x = onnx.Constant dense<> : tensor<1x1x65536x0xf32>
  %y = onnx.Constant dense<> : tensor<1x1x65536x0xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x65536x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: the result has shape [1, 1, 65536, 65536], more than 1073741824 bytes}}
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> : (tensor<1x1x65536x0xf32>, tensor<1x1x65536x0xf32>, tensor<1x1x65536x1xf32>) -> tensor<1x1x65536x1xf32>
  return %r : tensor<1x1x65536x1xf32>
}

// -----

// CHECK-LABEL: @attention_mask_of_integers_is_added
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_mask_of_integers_is_added() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %u = onnx.Constant dense<[[0, 1000]]> : tensor<1x2xi32>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 24}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x2xi32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// -1e6 is -inf in f16: nothing is seen.
// CHECK-LABEL: @attention_f16_mask_of_f32_is_converted
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf16>
// CHECK-NEXT: return
func.func @attention_f16_mask_of_f32_is_converted() -> tensor<1x1x1x1xf16> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf16>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf16>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf16>
  %u = onnx.Constant dense<-1.000000e+06> : tensor<1x2xf32>
  %r = onnx.Attention(%x, %y, %z, %u) <{since = 24}> : (tensor<1x1x1x1xf16>, tensor<1x1x2x1xf16>, tensor<1x1x2x1xf16>, tensor<1x2xf32>) -> tensor<1x1x1x1xf16>
  return %r : tensor<1x1x1x1xf16>
}

// -----

// CHECK-LABEL: @attention_4d_may_repeat_its_heads_in_v24
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_4d_may_repeat_its_heads_in_v24() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @attention_4d_contradicting_heads_stay
// CHECK: onnx.Attention(
func.func @attention_4d_contradicting_heads_stay() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'q_num_heads' is 2, an input has shape [1, 1, 1, 1]}}
  %r = onnx.Attention(%x, %y, %z) <{since = 24}> {q_num_heads = 2 : i64, kv_num_heads = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @attention_4d_with_heads_stays_in_v25
// CHECK: onnx.Attention(
func.func @attention_4d_with_heads_stays_in_v25() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'q_num_heads' is 1, an input has shape [1, 1, 1, 1]}}
  %r = onnx.Attention(%x, %y, %z) <{since = 25}> {q_num_heads = 1 : i64, kv_num_heads = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @attention_window_of_minus_2_stays
// CHECK: onnx.Attention(
func.func @attention_window_of_minus_2_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.Attention not folded: attribute 'left_window_size' is -2, expected -1 or more}}
  %r = onnx.Attention(%x, %y, %z) <{since = 25}> {left_window_size = -2 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// The last key is left out: (5 e^5 + e) / (e^5 + e). ONNX Runtime attends to it.
// CHECK-LABEL: @attention_single_causal_query_behind_past
// CHECK: onnx.Constant dense<4.9280{{[0-9]+}}> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @attention_single_causal_query_behind_past() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<[[[[1.000000e+00], [2.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %m = onnx.Absent
  %p = onnx.Constant dense<5.000000e+00> : tensor<1x1x1x1xf32>
  %r = onnx.Attention(%x, %y, %y, %m, %p, %p) <{since = 23}> {is_causal = 1 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, none, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// As in the stored tests; ONNX Runtime has the smallest number.
// CHECK-LABEL: @attention_infinite_scores_given_out
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00, 0xFF800000]]]]> : tensor<1x1x1x2xf32>
// CHECK-NEXT: return
func.func @attention_infinite_scores_given_out() -> tensor<1x1x1x2xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<[[[[1.000000e+00], [2.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r:4 = onnx.Attention(%x, %y, %y) <{since = 23, outputs = ["y0", "", "", "y3"]}> {is_causal = 1 : i64, qk_matmul_output_mode = 2 : i64} : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x1x1x1xf32>, none, none, tensor<1x1x1x2xf32>)
  return %r#3 : tensor<1x1x1x2xf32>
}
