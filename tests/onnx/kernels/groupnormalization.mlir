// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand: epsilons and variances are chosen so that roots are whole.

// Version 18 has one scale for each group.
// CHECK-LABEL: @groupnormalization_18_scale_for_each_group
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.000000e+00], [1.000000e+00], [8.000000e+00], [1.200000e+01]]]> : tensor<1x4x1xf32>
// CHECK-NEXT: return
func.func @groupnormalization_18_scale_for_each_group() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [7.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 18}> {epsilon = 3.0 : f32, num_groups = 2 : i64} : (tensor<1x4x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// Without dimensions after the channels.
// CHECK-LABEL: @groupnormalization_21_two_instances
// CHECK{LITERAL}: onnx.Constant dense<[[-1.000000e+00, 1.000000e+00], [-1.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @groupnormalization_21_two_instances() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 3.000000e+00], [-3.000000e+00, -1.000000e+00]]> : tensor<2x2xf32>
  %x1 = onnx.Constant dense<2.000000e+00> : tensor<2xf32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<2xf32>
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {epsilon = 3.0 : f32, num_groups = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// `stash_type` is the least precision: as f32 the two elements would be equal.
// CHECK-LABEL: @groupnormalization_21_f64_is_not_stashed_in_f32
// CHECK{LITERAL}: onnx.Constant dense<[[[-1.000000e+00], [1.000000e+00]]]> : tensor<1x2x1xf64>
// CHECK-NEXT: return
func.func @groupnormalization_21_f64_is_not_stashed_in_f32() -> tensor<1x2x1xf64> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [1.0000000009313226]]]> : tensor<1x2x1xf64>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<2xf64>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<2xf64>
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {num_groups = 1 : i64, epsilon = 0.0 : f32} : (tensor<1x2x1xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<1x2x1xf64>
  return %r : tensor<1x2x1xf64>
}

// -----

// CHECK-LABEL: @groupnormalization_21_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x4x1xf32>
// CHECK-NEXT: return
func.func @groupnormalization_21_empty() -> tensor<0x4x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<0x4x1xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]> : tensor<4xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {num_groups = 2 : i64} : (tensor<0x4x1xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<0x4x1xf32>
  return %r : tensor<0x4x1xf32>
}

// -----

// CHECK-LABEL: @groupnormalization_21_groups_do_not_divide_stays
// CHECK: onnx.GroupNormalization(
func.func @groupnormalization_21_groups_do_not_divide_stays() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [7.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]> : tensor<4xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+01, 1.000000e+01]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.GroupNormalization not folded: input #0 has shape [1, 4, 1], attribute 'num_groups' is 3}}
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {num_groups = 3 : i64} : (tensor<1x4x1xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// CHECK-LABEL: @groupnormalization_21_scale_for_each_group_stays
// CHECK: onnx.GroupNormalization(
func.func @groupnormalization_21_scale_for_each_group_stays() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [7.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 1.000000e+01]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.GroupNormalization not folded: input #1 has shape [2], expected [4]}}
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {num_groups = 2 : i64} : (tensor<1x4x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// CHECK-LABEL: @groupnormalization_21_stash_type_stays
// CHECK: onnx.GroupNormalization(
func.func @groupnormalization_21_stash_type_stays() -> tensor<1x4x1xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00], [3.000000e+00], [5.000000e+00], [7.000000e+00]]]> : tensor<1x4x1xf32>
  %x1 = onnx.Constant dense<[2.000000e+00, 4.000000e+00, 6.000000e+00, 8.000000e+00]> : tensor<4xf32>
  %x2 = onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+01, 1.000000e+01]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.GroupNormalization not folded: attribute 'stash_type' is 7, which is not a type to compute in}}
  %r = onnx.GroupNormalization(%x0, %x1, %x2) <{since = 21}> {num_groups = 2 : i64, stash_type = 7 : i64} : (tensor<1x4x1xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

// As in the text and the evaluator; E[x^2] - E[x]^2 in f32 is lost there.
// CHECK-LABEL: @groupnormalization_lost_variance
// CHECK{LITERAL}: onnx.Constant dense<[[[-9.999200e-01], [9.999200e-01]]]> : tensor<1x2x1xf32>
// CHECK-NEXT: return
func.func @groupnormalization_lost_variance() -> tensor<1x2x1xf32> {
  %x = onnx.Constant dense<[[[1.000000e+03], [1.000500e+03]]]> : tensor<1x2x1xf32>
  %s = onnx.Constant dense<1.000000e+00> : tensor<2xf32>
  %b = onnx.Constant dense<0.000000e+00> : tensor<2xf32>
  %r = onnx.GroupNormalization(%x, %s, %b) <{since = 21}> {num_groups = 1 : i64} : (tensor<1x2x1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x1xf32>
  return %r : tensor<1x2x1xf32>
}
