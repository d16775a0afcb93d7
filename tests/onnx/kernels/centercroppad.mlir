// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @centercroppad_string
// CHECK{LITERAL}: onnx.Constant dense<["", "a", "b", ""]> : tensor<4x!onnx.string>
// CHECK-NEXT: return
func.func @centercroppad_string() -> tensor<4x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %x1 = onnx.Constant dense<4> : tensor<1xi64>
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<2x!onnx.string>, tensor<1xi64>) -> tensor<4x!onnx.string>
  return %r : tensor<4x!onnx.string>
}

// -----

// CHECK-LABEL: @centercroppad_to_nothing
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @centercroppad_to_nothing() -> tensor<0xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<0> : tensor<1xi64>
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @centercroppad_of_nothing
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @centercroppad_of_nothing() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<> : tensor<0xf32>
  %x1 = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<0xf32>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @centercroppad_count_stays
// CHECK: onnx.CenterCropPad(
func.func @centercroppad_count_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.CenterCropPad not folded: the shape is [1, 1], expected 1 sizes}}
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<2xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @centercroppad_negative_stays
// CHECK: onnx.CenterCropPad(
func.func @centercroppad_negative_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<-1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.CenterCropPad not folded: the shape is [-1], expected 1 sizes}}
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @centercroppad_axes_stay
// CHECK: onnx.CenterCropPad(
func.func @centercroppad_axes_stay() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.CenterCropPad not folded: the axes are [0, -2], expected different ones of 2}}
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> {axes = array<i64: 0, -2>} : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @centercroppad_large_stays
// CHECK: onnx.CenterCropPad(
func.func @centercroppad_large_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x1 = onnx.Constant dense<4611686018427387904> : tensor<1xi64>
  // expected-remark @+1 {{onnx.CenterCropPad not folded: the result has shape [4611686018427387904], more than 1073741824 bytes}}
  %r = onnx.CenterCropPad(%x0, %x1) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
