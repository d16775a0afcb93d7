// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Abs clears the sign bit; the smallest integer wraps to itself (onnx-mlir went through double
// and lost 2^53 + 1, B10).

// CHECK-LABEL: @abs_f32_special
// CHECK: onnx.Constant dense<[1.500000e+00, 0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @abs_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-1.500000e+00, -0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Abs(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @abs_i8_smallest_wraps
// CHECK: onnx.Constant dense<[-128, 1, 0, 127]> : tensor<4xi8>
// CHECK-NEXT: return
func.func @abs_i8_smallest_wraps() -> tensor<4xi8> {
  %x = onnx.Constant dense<[-128, -1, 0, 127]> : tensor<4xi8>
  %r = onnx.Abs(%x) <{since = 13}> : (tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// -----

// CHECK-LABEL: @abs_i64_beyond_double
// CHECK: onnx.Constant dense<9007199254740993> : tensor<2xi64>
// CHECK-NEXT: return
func.func @abs_i64_beyond_double() -> tensor<2xi64> {
  %x = onnx.Constant dense<[-9007199254740993, 9007199254740993]> : tensor<2xi64>
  %r = onnx.Abs(%x) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @abs_f16_v1
// CHECK: onnx.Constant dense<[2.500000e+00, 1.000000e+00]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @abs_f16_v1() -> tensor<2xf16> {
  %x = onnx.Constant dense<[-2.500000e+00, 1.000000e+00]> : tensor<2xf16>
  %r = onnx.Abs(%x) <{since = 1}> {consumed_inputs = array<i64: 0>} : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @abs_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @abs_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Abs(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @abs_f32_dynamic_stays
// CHECK: onnx.Abs(
func.func @abs_f32_dynamic_stays(%a: tensor<2xf32>) -> tensor<2xf32> {
  %r = onnx.Abs(%a) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// |d| is d.
// CHECK-LABEL: @abs_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @abs_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.Abs(%s) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// |d - 5| is not d - 5.
// CHECK-LABEL: @abs_i64_symbolic_stays
// CHECK: onnx.Abs(
// CHECK: %[[R:.*]] = onnx.Sub(
// CHECK: return %[[R]]
func.func @abs_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<5> : tensor<2xi64>
  %n = onnx.Sub(%s, %c) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %m = onnx.Abs(%n) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %n) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
