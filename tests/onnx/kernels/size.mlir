// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the product of the dimensions.

// CHECK-LABEL: @size_rank_0
// CHECK: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @size_rank_0() -> tensor<i64> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.Size(%x) <{since = 13}> : (tensor<f32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @size_empty
// CHECK: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @size_empty() -> tensor<i64> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Size(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @size_not_constant
// CHECK: onnx.Constant dense<12> : tensor<i64>
// CHECK-NEXT: return
func.func @size_not_constant(%x: tensor<4x3xf32>) -> tensor<i64> {
  %r = onnx.Size(%x) <{since = 21}> : (tensor<4x3xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @size_unknown_times_0
// CHECK: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @size_unknown_times_0(%x: tensor<?x0xf32>) -> tensor<i64> {
  %r = onnx.Size(%x) <{since = 13}> : (tensor<?x0xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @size_partly_known_stays
// CHECK: onnx.Size(
func.func @size_partly_known_stays(%x: tensor<?x3xf32>) -> tensor<i64> {
  %r = onnx.Size(%x) <{since = 13}> : (tensor<?x3xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @size_unranked_stays
// CHECK: onnx.Size(
func.func @size_unranked_stays(%x: tensor<*xf32>) -> tensor<i64> {
  %r = onnx.Size(%x) <{since = 13}> : (tensor<*xf32>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// size - size is 0 whatever the unknown dimension is.
// CHECK-LABEL: @size_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<i64>
// CHECK: return %[[R]]
func.func @size_symbols(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Size(%x) <{since = 13}> : (tensor<?x3xf32>) -> tensor<i64>
  %r = onnx.Sub(%s, %s) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
