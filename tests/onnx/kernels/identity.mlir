// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the input.

// CHECK-LABEL: @identity_f32_bits
// CHECK: onnx.Constant dense<[0x7FC00000, -0.000000e+00, 0x7F800000]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @identity_f32_bits() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0x7FC00000, -0.000000e+00, 0x7F800000]> : tensor<3xf32>
  %r = onnx.Identity(%x) <{since = 1}> : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @identity_string
// CHECK: onnx.Constant dense<["a", ""]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @identity_string() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<["a", ""]> : tensor<2x!onnx.string>
  %r = onnx.Identity(%x) <{since = 13}> : (tensor<2x!onnx.string>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @identity_i4
// CHECK: onnx.Constant dense<[-8, 7]> : tensor<2xi4>
// CHECK-NEXT: return
func.func @identity_i4() -> tensor<2xi4> {
  %x = onnx.Constant dense<[-8, 7]> : tensor<2xi4>
  %r = onnx.Identity(%x) <{since = 21}> : (tensor<2xi4>) -> tensor<2xi4>
  return %r : tensor<2xi4>
}

// -----

// CHECK-LABEL: @identity_rank_0
// CHECK: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @identity_rank_0() -> tensor<i64> {
  %x = onnx.Constant dense<2> : tensor<i64>
  %r = onnx.Identity(%x) <{since = 16}> : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @identity_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @identity_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.Identity(%x) <{since = 14}> : (tensor<0x2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @identity_not_constant_stays
// CHECK: onnx.Identity(
func.func @identity_not_constant_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = onnx.Identity(%x) <{since = 16}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @identity_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @identity_symbols(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %t = onnx.Identity(%s) <{since = 16}> : (tensor<2xi64>) -> tensor<2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
