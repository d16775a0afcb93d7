// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, as in attention.mlir.

// 2049 and 2048 are the same in f16.
// CHECK-LABEL: @flexattention_softmax_precision_rounds
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @flexattention_softmax_precision_rounds() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1x2xf32>
  %y = onnx.Constant dense<[[[[2.048000e+03, 1.000000e+00], [2.048000e+03, 0.000000e+00]]]]> : tensor<1x1x2x2xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> {softmax_precision = 10 : i64, scale = 1.0 : f32} : (tensor<1x1x1x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @flexattention_rank_3_stays
// CHECK: onnx.preview.FlexAttention(
func.func @flexattention_rank_3_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x1xf32>
  // expected-remark @+1 {{onnx.preview.FlexAttention not folded: Q, K and V have ranks 3, 3 and 3, expected 4}}
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @flexattention_scale_negative_stays
// CHECK: onnx.preview.FlexAttention(
func.func @flexattention_scale_negative_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  // expected-remark @+1 {{onnx.preview.FlexAttention not folded: attribute 'scale' has no square root}}
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> {scale = -1.0 : f32} : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @flexattention_score_mod_masks
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<1x1x1x1xf32>
// CHECK-NEXT: return
func.func @flexattention_score_mod_masks() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32> with score_mod(%s: tensor<1x1x1x2xf32>) {
    %m = onnx.Constant dense<[0xFF800000, 0.000000e+00]> : tensor<2xf32>
    %t = onnx.Add(%s, %m) <{since = 14}> : (tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x1x1x2xf32>
    onnx.Yield %t : tensor<1x1x1x2xf32>
  }
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @flexattention_f16_prob_mod_sees_f32
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<1x1x1x1xf16>
// CHECK-NEXT: return
func.func @flexattention_f16_prob_mod_sees_f32() -> tensor<1x1x1x1xf16> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf16>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf16>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf16>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf16>, tensor<1x1x2x1xf16>, tensor<1x1x2x1xf16>) -> tensor<1x1x1x1xf16> with prob_mod(%s: tensor<1x1x1x2xf32>) {
    %t = onnx.Add(%s, %s) <{since = 14}> : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
    onnx.Yield %t : tensor<1x1x1x2xf32>
  }
  return %r : tensor<1x1x1x1xf16>
}

// -----

// The first key is masked, so that its probability is 0 also when rounded up.
// CHECK-LABEL: @flexattention_both_graphs_in_f64
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<1x1x1x1xf64>
// CHECK-NEXT: return
func.func @flexattention_both_graphs_in_f64() -> tensor<1x1x1x1xf64> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf64>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf64>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf64>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>) -> tensor<1x1x1x1xf64> with prob_mod(%p: tensor<1x1x1x2xf64>) {
    %t = onnx.Ceil(%p) <{since = 13}> : (tensor<1x1x1x2xf64>) -> tensor<1x1x1x2xf64>
    onnx.Yield %t : tensor<1x1x1x2xf64>
  }, score_mod(%s: tensor<1x1x1x2xf64>) {
    %m = onnx.Constant dense<[0xFFF0000000000000, 0.000000e+00]> : tensor<2xf64>
    %t = onnx.Add(%s, %m) <{since = 14}> : (tensor<1x1x1x2xf64>, tensor<2xf64>) -> tensor<1x1x1x2xf64>
    onnx.Yield %t : tensor<1x1x1x2xf64>
  }
  return %r : tensor<1x1x1x1xf64>
}

// -----

// CHECK-LABEL: @flexattention_graph_of_another_shape_stays
// CHECK: onnx.preview.FlexAttention(
func.func @flexattention_graph_of_another_shape_stays() -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  // expected-remark @+1 {{onnx.preview.FlexAttention not folded: the graph of attribute 'prob_mod' makes something else than f32[1, 1, 1, 2]}}
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x1x1xf32> with prob_mod(%s: tensor<1x1x1x2xf32>) {
    %t = onnx.Constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
    onnx.Yield %t : tensor<1x1x1x1xf32>
  }
  return %r : tensor<1x1x1x1xf32>
}

// -----

// CHECK-LABEL: @flexattention_graph_that_reads_an_unknown_value_stays
// CHECK: onnx.preview.FlexAttention(
func.func @flexattention_graph_that_reads_an_unknown_value_stays(%u: tensor<f32>) -> tensor<1x1x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf32>
  %r = onnx.preview.FlexAttention(%x, %x, %x) <{since = 1}> : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> with score_mod(%s: tensor<1x1x1x1xf32>) {
    %t = onnx.Mul(%s, %u) <{since = 14}> : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
    onnx.Yield %t : tensor<1x1x1x1xf32>
  }
  return %r : tensor<1x1x1x1xf32>
}
