// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. Before version 13 x is a matrix, cut before `axis`.

// CHECK-LABEL: @hardmax_f32_large
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @hardmax_f32_large() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+03, 1.001000000e+03]> : tensor<2xf32>
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_first_of_equal
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @hardmax_f32_first_of_equal() -> tensor<4xf32> {
  %x = onnx.Constant dense<[2.000000000e+00, 5.000000000e+00, 5.000000000e+00, 1.000000000e+00]> : tensor<4xf32>
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @hardmax_f32_nan_stays
// CHECK: onnx.Hardmax(
func.func @hardmax_f32_nan_stays() -> tensor<4xf32> {
  %x = onnx.Constant dense<[2.000000000e+00, 0x7FC00000, 5.000000000e+00, 0x7FC00000]> : tensor<4xf32>
  // expected-remark @+1 {{onnx.Hardmax not folded: element [1] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_infinite
// CHECK: onnx.Constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @hardmax_f32_infinite() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @hardmax_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_empty_axis
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @hardmax_f32_empty_axis() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_axis_outside_stays
// CHECK: onnx.Hardmax(
func.func @hardmax_f32_axis_outside_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Hardmax not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.Hardmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @hardmax_f32_rank0_stays
// CHECK: onnx.Hardmax(
func.func @hardmax_f32_rank0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Hardmax not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @hardmax_i32_stays
// CHECK: onnx.Hardmax(
func.func @hardmax_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Hardmax not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Hardmax(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
