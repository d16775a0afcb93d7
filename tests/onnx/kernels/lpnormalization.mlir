// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification, by hand.

// The reference evaluator sums x and not |x|.
// CHECK-LABEL: @lpnormalization_22_l1_of_negative_elements
// CHECK{LITERAL}: onnx.Constant dense<[[2.500000e-01, -7.500000e-01], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @lpnormalization_22_l1_of_negative_elements() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, -3.000000e+00], [0.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.LpNormalization(%x0) <{since = 22}> {p = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// Where the norm is 0, so is the result.
// CHECK-LABEL: @lpnormalization_22_norm_0
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 0.000000e+00], [6.000000e-01, 8.000000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @lpnormalization_22_norm_0() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0.000000e+00, -0.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.LpNormalization(%x0) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @lpnormalization_22_nan
// CHECK: onnx.Constant dense<{{\[\[}}0x{{[7F]}}FC00000, 0x{{[7F]}}FC00000], [6.000000e-01, 8.000000e-01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @lpnormalization_22_nan() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[0x7FC00000, 1.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.LpNormalization(%x0) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @lpnormalization_22_f16_does_not_overflow
// CHECK{LITERAL}: onnx.Constant dense<[[6.000980e-01, 7.998050e-01]]> : tensor<1x2xf16>
// CHECK-NEXT: return
func.func @lpnormalization_22_f16_does_not_overflow() -> tensor<1x2xf16> {
  %x0 = onnx.Constant dense<[[7.680000e+02, 1.024000e+03]]> : tensor<1x2xf16>
  %r = onnx.LpNormalization(%x0) <{since = 22}> : (tensor<1x2xf16>) -> tensor<1x2xf16>
  return %r : tensor<1x2xf16>
}

// -----

// CHECK-LABEL: @lpnormalization_22_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @lpnormalization_22_empty() -> tensor<2x0xf32> {
  %x0 = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.LpNormalization(%x0) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @lpnormalization_22_p_3_stays
// CHECK: onnx.LpNormalization(
func.func @lpnormalization_22_p_3_stays() -> tensor<1x2xf32> {
  %x0 = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.LpNormalization not folded: attribute 'p' is 3, expected 1 or 2}}
  %r = onnx.LpNormalization(%x0) <{since = 22}> {p = 3 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// -----

// CHECK-LABEL: @lpnormalization_22_scalar_stays
// CHECK: onnx.LpNormalization(
func.func @lpnormalization_22_scalar_stays() -> tensor<f32> {
  %x0 = onnx.Constant dense<3.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.LpNormalization not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.LpNormalization(%x0) <{since = 22}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
