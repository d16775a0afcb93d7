// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification in Python: logarithms of whole probabilities.

// CHECK-LABEL: @softmaxcrossentropyloss_13_weighted_mean_of_what_is_not_ignored
// CHECK{LITERAL}: onnx.Constant dense<0.693147182> : tensor<f32>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_weighted_mean_of_what_is_not_ignored() -> tensor<f32> {
  %x0 = onnx.Constant dense<0.000000e+00> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[-5, 1]> : tensor<2xi64>
  %x2 = onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
  %r = onnx.SoftmaxCrossEntropyLoss(%x0, %x1, %x2) <{since = 13}> {ignore_index = -5 : i64} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_left_out_weights
// CHECK{LITERAL}: onnx.Constant dense<0.693147182> : tensor<f32>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_left_out_weights() -> tensor<f32> {
  %x0 = onnx.Constant dense<0.000000e+00> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %x2 = onnx.Absent
  %r = onnx.SoftmaxCrossEntropyLoss(%x0, %x1, %x2) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>, none) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_no_overflow
// CHECK{LITERAL}: onnx.Constant dense<1.000000e+03> : tensor<f32>
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, -1.000000e+03]]> : tensor<1x2xf32>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_no_overflow() -> (tensor<f32>, tensor<1x2xf32>) {
  %x0 = onnx.Constant dense<[[1.000000e+03, 0.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<1> : tensor<1xi64>
  %r:2 = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> : (tensor<1x2xf32>, tensor<1xi64>) -> (tensor<f32>, tensor<1x2xf32>)
  return %r#0, %r#1 : tensor<f32>, tensor<1x2xf32>
}

// -----

// 3 * log(2) is 2.0794; three f16 of log(2) are 2.0801.
// CHECK-LABEL: @softmaxcrossentropyloss_13_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<2.080080e+00> : tensor<f16>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_f16_rounds_once() -> tensor<f16> {
  %x0 = onnx.Constant dense<0.000000e+00> : tensor<3x2xf16>
  %x1 = onnx.Constant dense<0> : tensor<3xi64>
  %r = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> {reduction = "sum"} : (tensor<3x2xf16>, tensor<3xi64>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_nan
// CHECK: onnx.Constant dense<[0x{{[7F]}}FC00000, 0.693147182]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_nan() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[[0.000000e+00, 0x7FC00000], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %r = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> {reduction = "none"} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_empty_none
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0xf32>
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @softmaxcrossentropyloss_13_empty_none() -> (tensor<0xf32>, tensor<0x3xf32>) {
  %x0 = onnx.Constant dense<> : tensor<0x3xf32>
  %x1 = onnx.Constant dense<> : tensor<0xi64>
  %r:2 = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> {reduction = "none"} : (tensor<0x3xf32>, tensor<0xi64>) -> (tensor<0xf32>, tensor<0x3xf32>)
  return %r#0, %r#1 : tensor<0xf32>, tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_label_stays
// CHECK: onnx.SoftmaxCrossEntropyLoss(
func.func @softmaxcrossentropyloss_13_label_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<0.000000e+00> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SoftmaxCrossEntropyLoss not folded: target [1] is 2, there are 2 classes}}
  %r:2 = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> : (tensor<2x2xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2x2xf32>)
  return %r#0 : tensor<f32>
}

// -----

// CHECK-LABEL: @softmaxcrossentropyloss_13_scores_vector_stays
// CHECK: onnx.SoftmaxCrossEntropyLoss(
func.func @softmaxcrossentropyloss_13_scores_vector_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.SoftmaxCrossEntropyLoss not folded: input #0 has shape [2], expected a batch and classes}}
  %r = onnx.SoftmaxCrossEntropyLoss(%x0, %x1) <{since = 13}> : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  return %r : tensor<f32>
}
