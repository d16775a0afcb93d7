// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand: epsilons and variances are chosen so that roots are whole.

// A vector is a batch of one channel.
// CHECK-LABEL: @batchnormalization_9_vector
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @batchnormalization_9_vector() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x3 = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %x4 = onnx.Constant dense<3.750000e+00> : tensor<1xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 9}> {epsilon = 0.25 : f32} : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Parameters of [C, D1], as if each element were a channel.
// CHECK-LABEL: @batchnormalization_7_each_element
// CHECK{LITERAL}: onnx.Constant dense<[[[0.000000e+00, 1.000000e+01]], [[2.000000e+00, 1.300000e+01]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: return
func.func @batchnormalization_7_each_element() -> tensor<2x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]], [[3.000000e+00, 5.000000e+00]]]> : tensor<2x1x2xf32>
  %x1 = onnx.Constant dense<[[2.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>
  %x2 = onnx.Constant dense<[[0.000000e+00, 1.000000e+01]]> : tensor<1x2xf32>
  %x3 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %x4 = onnx.Constant dense<[[3.750000e+00, 7.500000e-01]]> : tensor<1x2xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 7}> {epsilon = 0.25 : f32, spatial = 0 : i64} : (tensor<2x1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x1x2xf32>
  return %r : tensor<2x1x2xf32>
}

// -----

// Versions 1 and 6 say that parameters are vectors of C, whatever `spatial` is.
// CHECK-LABEL: @batchnormalization_6_each_element_by_vectors
// CHECK{LITERAL}: onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [1.100000e+01, 1.200000e+01]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @batchnormalization_6_each_element_by_vectors() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 6}> {epsilon = 0.25 : f32, is_test = 1 : i64, spatial = 0 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// X, the scale and the mean each have a type of their own; the result has that of X.
// CHECK-LABEL: @batchnormalization_15_three_types
// CHECK{LITERAL}: onnx.Constant dense<[[[0.000000e+00, 1.000000e+00], [1.100000e+01, 1.200000e+01]]]> : tensor<1x2x2xf16>
// CHECK-NEXT: return
func.func @batchnormalization_15_three_types() -> tensor<1x2x2xf16> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf16>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xbf16>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xbf16>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf64>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> {epsilon = 0.25 : f32} : (tensor<1x2x2xf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xf64>, tensor<2xf64>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}

// -----

// 2048 + 1 would be 2048 in f16 if it were rounded before 1 is added.
// CHECK-LABEL: @batchnormalization_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<2.050000e+03> : tensor<1x1xf16>
// CHECK-NEXT: return
func.func @batchnormalization_f16_rounds_once() -> tensor<1x1xf16> {
  %x0 = onnx.Constant dense<2.048000e+03> : tensor<1x1xf16>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1xf16>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<1xf16>
  %x3 = onnx.Constant dense<-1.000000e+00> : tensor<1xf16>
  %x4 = onnx.Constant dense<7.500000e-01> : tensor<1xf16>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> {epsilon = 0.25 : f32} : (tensor<1x1xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x1xf16>
  return %r : tensor<1x1xf16>
}

// -----

// 1 / sqrt(1e-5), where 1e-5 is an f32.
// CHECK-LABEL: @batchnormalization_default_epsilon
// CHECK{LITERAL}: onnx.Constant dense<316.227783> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @batchnormalization_default_epsilon() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %x4 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> : (tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// 0 / 0 as IEEE has it.
// CHECK-LABEL: @batchnormalization_variance_0_without_epsilon
// CHECK: onnx.Constant dense<0x{{[7F]}}FC00000> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @batchnormalization_variance_0_without_epsilon() -> tensor<1x1xf32> {
  %x0 = onnx.Constant dense<1.000000e+00> : tensor<1x1xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %x3 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x4 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> {epsilon = 0.0 : f32} : (tensor<1x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x2x3xf32>
// CHECK-NEXT: return
func.func @batchnormalization_empty() -> tensor<0x2x3xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x2x3xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> {epsilon = 0.25 : f32} : (tensor<0x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<0x2x3xf32>
  return %r : tensor<0x2x3xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_15_training_stays
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_15_training_stays() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: is in training mode}}
  %r:3 = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> {training_mode = 1 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0 : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_14_training_stays
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_14_training_stays() -> (tensor<2xf32>, tensor<2xf32>) {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: is in training mode}}
  %r:3 = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 14}> {training_mode = 1 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#1, %r#2 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Before version 14 the number of outputs is what says so.
// CHECK-LABEL: @batchnormalization_9_more_outputs_train
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_9_more_outputs_train() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: is in training mode}}
  %r:5 = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 9}> : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0 : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_6_trains_by_default
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_6_trains_by_default() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: is in training mode}}
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 6}> : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_6_more_outputs_stay
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_6_more_outputs_stay() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: there is more than one output outside of training}}
  %r:5 = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 6}> {is_test = 1 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %r#0 : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_15_short_scale_stays
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_15_short_scale_stays() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: input #1 has shape [1], expected [2]}}
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 15}> : (tensor<1x2x2xf32>, tensor<1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_7_vector_stays
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_7_vector_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %x3 = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %x4 = onnx.Constant dense<3.750000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: input #0 has shape [2], expected a batch and channels}}
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 7}> : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @batchnormalization_7_each_element_by_vectors_stays
// CHECK: onnx.BatchNormalization(
func.func @batchnormalization_7_each_element_by_vectors_stays() -> tensor<1x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %x3 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x4 = onnx.Constant dense<[3.750000e+00, 7.500000e-01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.BatchNormalization not folded: input #1 has shape [2], expected [2, 2]}}
  %r = onnx.BatchNormalization(%x0, %x1, %x2, %x3, %x4) <{since = 7}> {spatial = 0 : i64} : (tensor<1x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}
