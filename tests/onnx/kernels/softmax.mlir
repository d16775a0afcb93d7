// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. In double throughout, rounded once. Before version 13 the sum runs over all dimensions from
// `axis` on.

// exp(1000) alone would overflow.
// CHECK-LABEL: @softmax_f32_large
// CHECK: onnx.Constant dense<[0.26894143{{[0-9]*}}, 0.73105859{{[0-9]*}}]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_large() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+03, 1.001000e+03]> : tensor<2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_nan
// CHECK: onnx.Constant dense<{{0x[7F][0-9A-F]+}}> : tensor<2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_nan() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @softmax_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_axis_outside_stays
// CHECK: onnx.Softmax(
func.func @softmax_f32_axis_outside_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Softmax not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.Softmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_rank0_stays
// CHECK: onnx.Softmax(
func.func @softmax_f32_rank0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Softmax not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @softmax_i32_stays
// CHECK: onnx.Softmax(
func.func @softmax_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Softmax not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
