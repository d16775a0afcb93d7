// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, as in attention.mlir.

// CHECK-LABEL: @flexattention_f32
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.000000e+00, 1.500000e+01], [2.000000e+00, 1.500000e+01]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: return
func.func @flexattention_f32() -> tensor<1x1x2x2xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x2xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x2xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00, 1.000000e+01], [3.000000e+00, 2.000000e+01]]]]> : tensor<1x1x2x2xf32>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// -----

// CHECK-LABEL: @flexattention_grouped
// CHECK{LITERAL}: onnx.Constant dense<[[[[2.000000e+00]], [[2.000000e+00]], [[2.000000e+01]], [[2.000000e+01]]]]> : tensor<1x4x1x1xf32>
// CHECK-NEXT: return
func.func @flexattention_grouped() -> tensor<1x4x1x1xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x4x1x1xf32>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x2x2x1xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]], [[1.000000e+01], [3.000000e+01]]]]> : tensor<1x2x2x1xf32>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x4x1x1xf32>, tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>) -> tensor<1x4x1x1xf32>
  return %r : tensor<1x4x1x1xf32>
}

// -----

// CHECK-LABEL: @flexattention_picks_the_key_of_the_query
// CHECK{LITERAL}: onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK-NEXT: return
func.func @flexattention_picks_the_key_of_the_query() -> tensor<1x1x2x1xf32> {
  %x = onnx.Constant dense<[[[[4.096000e+03, 0.000000e+00], [0.000000e+00, 4.096000e+03]]]]> : tensor<1x1x2x2xf32>
  %y = onnx.Constant dense<[[[[4.096000e+03, 0.000000e+00], [0.000000e+00, 4.096000e+03]]]]> : tensor<1x1x2x2xf32>
  %z = onnx.Constant dense<[[[[1.000000e+00], [3.000000e+00]]]]> : tensor<1x1x2x1xf32>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> {scale = 0.25 : f32} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  return %r : tensor<1x1x2x1xf32>
}

// -----

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

// CHECK-LABEL: @flexattention_f16
// CHECK: onnx.Constant dense<1.025000e+03> : tensor<1x1x1x1xf16>
// CHECK-NEXT: return
func.func @flexattention_f16() -> tensor<1x1x1x1xf16> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf16>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf16>
  %z = onnx.Constant dense<[[[[2.048000e+03], [2.000000e+00]]]]> : tensor<1x1x2x1xf16>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf16>, tensor<1x1x2x1xf16>, tensor<1x1x2x1xf16>) -> tensor<1x1x1x1xf16>
  return %r : tensor<1x1x1x1xf16>
}

// -----

// CHECK-LABEL: @flexattention_f64
// CHECK: onnx.Constant dense<1.500000e+00> : tensor<1x1x1x1xf64>
// CHECK-NEXT: return
func.func @flexattention_f64() -> tensor<1x1x1x1xf64> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x1x1x1xf64>
  %y = onnx.Constant dense<0.000000e+00> : tensor<1x1x2x1xf64>
  %z = onnx.Constant dense<[[[[1.000000e+00], [2.000000e+00]]]]> : tensor<1x1x2x1xf64>
  %r = onnx.preview.FlexAttention(%x, %y, %z) <{since = 1}> : (tensor<1x1x1x1xf64>, tensor<1x1x2x1xf64>, tensor<1x1x2x1xf64>) -> tensor<1x1x1x1xf64>
  return %r : tensor<1x1x1x1xf64>
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
