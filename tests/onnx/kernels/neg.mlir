// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. IEEE negation flips the sign of zeros and NaN; integers wrap.

// CHECK-LABEL: @neg_f32_special
// CHECK: onnx.Constant dense<[1.500000e+00, 0.000000e+00, -0.000000e+00, -2.500000e+00, 0xFF800000, 0x7F800000, 0xFFC00000]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @neg_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[-1.500000e+00, -0.000000e+00, 0.000000e+00, 2.500000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Neg(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @neg_i32_smallest_wraps
// CHECK: onnx.Constant dense<[-2147483648, -5, 0]> : tensor<3xi32>
// CHECK-NEXT: return
func.func @neg_i32_smallest_wraps() -> tensor<3xi32> {
  %x = onnx.Constant dense<[-2147483648, 5, 0]> : tensor<3xi32>
  %r = onnx.Neg(%x) <{since = 13}> : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// CHECK-LABEL: @neg_ui8_stays
// CHECK: onnx.Neg(
func.func @neg_ui8_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Neg not folded: input #0 ('X') is tensor<2xui8>, expected one of}}
  %r = onnx.Neg(%x) <{since = 13}> : (tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// -d + d.
// CHECK-LABEL: @neg_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @neg_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.Neg(%s) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Add(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// -d is not known.
// CHECK-LABEL: @neg_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Neg(
// CHECK: return %[[R]]
func.func @neg_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %r = onnx.Neg(%s) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
