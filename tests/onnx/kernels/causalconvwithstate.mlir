// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// A kernel of one element has no past.
// CHECK-LABEL: @causalconvwithstate_silu
// CHECK{LITERAL}: onnx.Constant dense<[[[1.010000e+02, -0.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-DAG: onnx.Constant dense<> : tensor<1x1x0xf32>
// CHECK-NOT: onnx.CausalConvWithState(
func.func @causalconvwithstate_silu() -> (tensor<1x1x2xf32>, tensor<1x1x0xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+02, -1.000000e+03]]]> : tensor<1x1x2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %z = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %r:2 = onnx.CausalConvWithState(%x, %y, %z) <{since = 27}> {activation = "silu"} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1xf32>) -> (tensor<1x1x2xf32>, tensor<1x1x0xf32>)
  return %r#0, %r#1 : tensor<1x1x2xf32>, tensor<1x1x0xf32>
}

// -----

// CHECK-LABEL: @causalconvwithstate_nothing_new
// CHECK-DAG: onnx.Constant dense<> : tensor<1x1x0xf32>
// CHECK-DAG: onnx.Constant dense<7.000000e+00> : tensor<1x1x1xf32>
// CHECK-NOT: onnx.CausalConvWithState(
func.func @causalconvwithstate_nothing_new() -> (tensor<1x1x0xf32>, tensor<1x1x1xf32>) {
  %x = onnx.Constant dense<> : tensor<1x1x0xf32>
  %y = onnx.Constant dense<[[[4.000000e+00, 2.000000e+00]]]> : tensor<1x1x2xf32>
  %z = onnx.Absent
  %u = onnx.Constant dense<7.000000e+00> : tensor<1x1x1xf32>
  %r:2 = onnx.CausalConvWithState(%x, %y, %z, %u) <{since = 27}> : (tensor<1x1x0xf32>, tensor<1x1x2xf32>, none, tensor<1x1x1xf32>) -> (tensor<1x1x0xf32>, tensor<1x1x1xf32>)
  return %r#0, %r#1 : tensor<1x1x0xf32>, tensor<1x1x1xf32>
}

// -----

// 2048 + 1 + 1.
// CHECK-LABEL: @causalconvwithstate_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<[[[2.048000e+03, 2.050000e+03]]]> : tensor<1x1x2xf16>
// CHECK-DAG: onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf16>
// CHECK-NOT: onnx.CausalConvWithState(
func.func @causalconvwithstate_f16_rounds_once() -> (tensor<1x1x2xf16>, tensor<1x1x1xf16>) {
  %x = onnx.Constant dense<[[[2.048000e+03, 1.000000e+00]]]> : tensor<1x1x2xf16>
  %y = onnx.Constant dense<1.000000e+00> : tensor<1x1x2xf16>
  %z = onnx.Constant dense<1.000000e+00> : tensor<1xf16>
  %r:2 = onnx.CausalConvWithState(%x, %y, %z) <{since = 27}> : (tensor<1x1x2xf16>, tensor<1x1x2xf16>, tensor<1xf16>) -> (tensor<1x1x2xf16>, tensor<1x1x1xf16>)
  return %r#0, %r#1 : tensor<1x1x2xf16>, tensor<1x1x1xf16>
}

// -----

// CHECK-LABEL: @causalconvwithstate_unknown_activation_stays
// CHECK: onnx.CausalConvWithState(
func.func @causalconvwithstate_unknown_activation_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [1.000000e+01, 2.000000e+01, 3.000000e+01]]]> : tensor<1x2x3xf32>
  %y = onnx.Constant dense<[[[4.000000e+00, 2.000000e+00, 1.000000e+00]], [[1.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<2x1x3xf32>
  // expected-remark @+1 {{onnx.CausalConvWithState not folded: attribute 'activation' is 'relu', expected 'none', 'silu' or 'swish'}}
  %r:2 = onnx.CausalConvWithState(%x, %y) <{since = 27}> {activation = "relu"} : (tensor<1x2x3xf32>, tensor<2x1x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @causalconvwithstate_weights_of_other_channels_stay
// CHECK: onnx.CausalConvWithState(
func.func @causalconvwithstate_weights_of_other_channels_stay() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [1.000000e+01, 2.000000e+01, 3.000000e+01]]]> : tensor<1x2x3xf32>
  %y = onnx.Constant dense<[[[4.000000e+00, 2.000000e+00, 1.000000e+00]]]> : tensor<1x1x3xf32>
  // expected-remark @+1 {{onnx.CausalConvWithState not folded: input #1 is f32[1, 1, 3], expected f32[2, 1, 3]}}
  %r:2 = onnx.CausalConvWithState(%x, %y) <{since = 27}> : (tensor<1x2x3xf32>, tensor<1x1x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: @causalconvwithstate_past_of_another_length_stays
// CHECK: onnx.CausalConvWithState(
func.func @causalconvwithstate_past_of_another_length_stays() -> (tensor<*xf32>, tensor<*xf32>) {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00], [1.000000e+01, 2.000000e+01, 3.000000e+01]]]> : tensor<1x2x3xf32>
  %y = onnx.Constant dense<[[[4.000000e+00, 2.000000e+00, 1.000000e+00]], [[1.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<2x1x3xf32>
  %z = onnx.Absent
  %u = onnx.Constant dense<[[[-1.000000e+00], [5.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.CausalConvWithState not folded: input #3 is f32[1, 2, 1], expected f32[1, 2, 2]}}
  %r:2 = onnx.CausalConvWithState(%x, %y, %z, %u) <{since = 27}> : (tensor<1x2x3xf32>, tensor<2x1x3xf32>, none, tensor<1x2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %r#0, %r#1 : tensor<*xf32>, tensor<*xf32>
}
