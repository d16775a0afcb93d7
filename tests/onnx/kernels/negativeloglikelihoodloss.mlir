// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand; the first is an example of its text.

// CHECK-LABEL: @negativeloglikelihoodloss_22_none
// CHECK{LITERAL}: onnx.Constant dense<[[-3.000000e+00, -2.000000e+00], [-0.000000e+00, -2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_22_none() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 2]]> : tensor<2x2xi64>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 22}> {reduction = "none"} : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_weights
// CHECK{LITERAL}: onnx.Constant dense<[[-3.000000e+00, -4.000000e+00], [-0.000000e+00, -2.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_weights() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 2]]> : tensor<2x2xi64>
  %x2 = onnx.Constant dense<[5.000000e-01, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1, %x2) <{since = 13}> {reduction = "none"} : (tensor<2x3x2xf32>, tensor<2x2xi64>, tensor<3xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// -9 / (1 + 2 + 0.5 + 1)
// CHECK-LABEL: @negativeloglikelihoodloss_13_weighted_mean
// CHECK{LITERAL}: onnx.Constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_weighted_mean() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 2]]> : tensor<2x2xi64>
  %x2 = onnx.Constant dense<[5.000000e-01, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1, %x2) <{since = 13}> : (tensor<2x3x2xf32>, tensor<2x2xi64>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// An ignored target need not be a class.
// CHECK-LABEL: @negativeloglikelihoodloss_13_ignored
// CHECK{LITERAL}: onnx.Constant dense<[[-3.000000e+00, 0.000000e+00], [-0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_ignored() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, -1], [0, -1]]> : tensor<2x2xi64>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {reduction = "none", ignore_index = -1 : i64} : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// -3 / 2: the reference evaluator divides by 4 here, though not with another index.
// CHECK-LABEL: @negativeloglikelihoodloss_13_ignored_do_not_count
// CHECK{LITERAL}: onnx.Constant dense<-1.500000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_ignored_do_not_count() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, -1], [0, -1]]> : tensor<2x2xi64>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {ignore_index = -1 : i64} : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// (-2 * 2 - 0 * 0.5 - 2 * 2) / (2 + 0.5 + 2)
// CHECK-LABEL: @negativeloglikelihoodloss_13_ignored_class_and_weights
// CHECK{LITERAL}: onnx.Constant dense<-1.77777779> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_ignored_class_and_weights() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 1]]> : tensor<2x2xi64>
  %x2 = onnx.Constant dense<[5.000000e-01, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1, %x2) <{since = 13}> {ignore_index = 2 : i64} : (tensor<2x3x2xf32>, tensor<2x2xi64>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_nan_is_not_ignored_by_weight_0
// CHECK: onnx.Constant dense<0x{{[7F]}}FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_nan_is_not_ignored_by_weight_0() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[0x7FC00000, 1.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<0> : tensor<1xi32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1, %x2) <{since = 13}> {reduction = "sum"} : (tensor<1x2xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_nan_is_ignored
// CHECK{LITERAL}: onnx.Constant dense<-2.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_nan_is_ignored() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[0x7FC00000, 1.000000e+00], [1.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<[0, 1]> : tensor<2xi32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {ignore_index = 0 : i64} : (tensor<2x2xf32>, tensor<2xi32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// 0 / 0, as the function body has it.
// CHECK-LABEL: @negativeloglikelihoodloss_13_all_ignored
// CHECK: onnx.Constant dense<0x{{[7F]}}FC00000> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_all_ignored() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<0> : tensor<1xi32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {ignore_index = 0 : i64} : (tensor<1x2xf32>, tensor<1xi32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// 2048 + 1 + 1 + 2, though 2048 + 1 is 2048 in f16.
// CHECK-LABEL: @negativeloglikelihoodloss_13_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<2.052000e+03> : tensor<f16>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_f16_rounds_once() -> tensor<f16> {
  %x0 = onnx.Constant dense<[[-2.048000e+03], [-1.000000e+00], [-1.000000e+00], [-2.000000e+00]]> : tensor<4x1xf16>
  %x1 = onnx.Constant dense<0> : tensor<4xi32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {reduction = "sum"} : (tensor<4x1xf16>, tensor<4xi32>) -> tensor<f16>
  return %r : tensor<f16>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_22_bf16
// CHECK{LITERAL}: onnx.Constant dense<2.500000e+00> : tensor<bf16>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_22_bf16() -> tensor<bf16> {
  %x0 = onnx.Constant dense<[[-1.500000e+00, -2.500000e+00]]> : tensor<1x2xbf16>
  %x1 = onnx.Constant dense<1> : tensor<1xi32>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 22}> : (tensor<1x2xbf16>, tensor<1xi32>) -> tensor<bf16>
  return %r : tensor<bf16>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_empty_none
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_empty_none() -> tensor<0xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x3xf32>
  %x1 = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {reduction = "none"} : (tensor<0x3xf32>, tensor<0xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_empty_sum
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @negativeloglikelihoodloss_13_empty_sum() -> tensor<f32> {
  %x0 = onnx.Constant dense<> : tensor<0x3xf32>
  %x1 = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {reduction = "sum"} : (tensor<0x3xf32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_empty_mean_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_empty_mean_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<> : tensor<0x3xf32>
  %x1 = onnx.Constant dense<> : tensor<0xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: there is nothing to take the mean of}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> : (tensor<0x3xf32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_no_classes_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_no_classes_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<> : tensor<1x0xf32>
  %x1 = onnx.Constant dense<5> : tensor<1xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: there are no classes}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {ignore_index = 5 : i64, reduction = "sum"} : (tensor<1x0xf32>, tensor<1xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_target_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_target_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 3], [0, 2]]> : tensor<2x2xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: target [0, 1] is 3, there are 3 classes}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_negative_target_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_negative_target_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, -1], [0, 2]]> : tensor<2x2xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: target [0, 1] is -1, there are 3 classes}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {ignore_index = -2 : i64} : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_target_shape_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_target_shape_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: input #1 has shape [2], expected [2, 2]}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> : (tensor<2x3x2xf32>, tensor<2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_weight_shape_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_weight_shape_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 2]]> : tensor<2x2xi64>
  %x2 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: input #2 has shape [2], expected [3]}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1, %x2) <{since = 13}> : (tensor<2x3x2xf32>, tensor<2x2xi64>, tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_reduction_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_reduction_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]], [[0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
  %x1 = onnx.Constant dense<[[2, 1], [0, 2]]> : tensor<2x2xi64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: attribute 'reduction' is 'max', expected none, sum or mean}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> {reduction = "max"} : (tensor<2x3x2xf32>, tensor<2x2xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @negativeloglikelihoodloss_13_vector_stays
// CHECK: onnx.NegativeLogLikelihoodLoss(
func.func @negativeloglikelihoodloss_13_vector_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.NegativeLogLikelihoodLoss not folded: input #0 has shape [2], expected a batch and classes}}
  %r = onnx.NegativeLogLikelihoodLoss(%x0, %x1) <{since = 13}> : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  return %r : tensor<f32>
}
