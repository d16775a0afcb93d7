// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand: epsilons and variances are chosen so that roots are whole.

// CHECK-LABEL: @instancenormalization_1
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.000000e+00, 1.000000e+00], [8.000000e+00, 1.200000e+01]], [[-1.000000e+00, 1.000000e+00], [1.200000e+01, 8.000000e+00]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: return
func.func @instancenormalization_1() -> tensor<2x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]], [[-3.000000e+00, -1.000000e+00], [2.000000e+00, 0.000000e+00]]]> : tensor<2x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 1}> {epsilon = 3.0 : f32, consumed_inputs = array<i64: 0, 0, 0>} : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// -2048 + 3 and 2048 + 3, of which the second is a tie.
// CHECK-LABEL: @instancenormalization_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<[[[-2.045000e+03, 2.052000e+03]]]> : tensor<1x1x2xf16>
// CHECK-NEXT: return
func.func @instancenormalization_f16_rounds_once() -> tensor<1x1x2xf16> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 3.000000e+00]]]> : tensor<1x1x2xf16>
  %x1 = onnx.Constant dense<4.096000e+03> : tensor<1xf16>
  %x2 = onnx.Constant dense<3.000000e+00> : tensor<1xf16>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 22}> {epsilon = 3.0 : f32} : (tensor<1x1x2xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x1x2xf16>
  return %r : tensor<1x1x2xf16>
}

// -----

// The sum of three 0.1 divided by 3 is not 0.1: the mean is corrected, or this would be -0.0139 with so small an epsilon.
// CHECK-LABEL: @instancenormalization_f64_equal_elements
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<1x1x3xf64>
// CHECK-NEXT: return
func.func @instancenormalization_f64_equal_elements() -> tensor<1x1x3xf64> {
  %x0 = onnx.Constant dense<1.000000e-01> : tensor<1x1x3xf64>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<1xf64>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf64>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> {epsilon = 1.000000e-30 : f32} : (tensor<1x1x3xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<1x1x3xf64>
  return %r : tensor<1x1x3xf64>
}

// -----

// In f32 the squares would cancel.
// CHECK-LABEL: @instancenormalization_large_mean
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.000000e+00, 1.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-NEXT: return
func.func @instancenormalization_large_mean() -> tensor<1x1x2xf32> {
  %x0 = onnx.Constant dense<[[[4.096000e+03, 4.098000e+03]]]> : tensor<1x1x2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> {epsilon = 3.0 : f32} : (tensor<1x1x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2xf32>
  return %r : tensor<1x1x2xf32>
}

// -----

// CHECK-LABEL: @instancenormalization_nan_in_one_instance
// CHECK: onnx.Constant dense<{{\[\[\[}}0x{{[7F]}}FC00000, 0x{{[7F]}}FC00000]], {{\[\[}}-1.000000e+00, 1.000000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NEXT: return
func.func @instancenormalization_nan_in_one_instance() -> tensor<2x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0x7FC00000]], [[1.000000e+00, 3.000000e+00]]]> : tensor<2x1x2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> {epsilon = 3.0 : f32} : (tensor<2x1x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1x2xf32>
  return %r : tensor<2x1x2xf32>
}

// -----

// CHECK-LABEL: @instancenormalization_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<1x2x0xf32>
// CHECK-NEXT: return
func.func @instancenormalization_empty() -> tensor<1x2x0xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x2x0xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> : (tensor<1x2x0xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x0xf32>
  return %r : tensor<1x2x0xf32>
}

// -----

// CHECK-LABEL: @instancenormalization_rank_2_stays
// CHECK: onnx.InstanceNormalization(
func.func @instancenormalization_rank_2_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.InstanceNormalization not folded: input #0 has shape [1, 2], expected a batch, channels and more}}
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @instancenormalization_long_bias_stays
// CHECK: onnx.InstanceNormalization(
func.func @instancenormalization_long_bias_stays() -> tensor<2x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 3.000000e+00], [5.000000e+00, 7.000000e+00]], [[-3.000000e+00, -1.000000e+00], [2.000000e+00, 0.000000e+00]]]> : tensor<2x2x2xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.InstanceNormalization not folded: input #2 has shape [3], expected [2]}}
  %r = onnx.InstanceNormalization(%x0, %x1, %x2) <{since = 6}> : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
