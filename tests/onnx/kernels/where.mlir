// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Any element type; nothing is computed, so NaN and strings pass as they are.

// CHECK-LABEL: @where_f32
// CHECK: onnx.Constant dense<{{\[\[}}1.000000e+00, 6.000000e+00], [7.000000e+00, 0x7FC00000]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @where_f32() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %y = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 0x7FC00000]]> : tensor<2x2xf32>
  %z = onnx.Constant dense<[[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Where(%x, %y, %z) <{since = 16}> : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @where_i64_three_broadcast
// CHECK: onnx.Constant dense<{{\[\[}}1, 2, 3], [9, 9, 9]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @where_i64_three_broadcast() -> tensor<2x3xi64> {
  %x = onnx.Constant dense<[[true], [false]]> : tensor<2x1xi1>
  %y = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %z = onnx.Constant dense<9> : tensor<i64>
  %r = onnx.Where(%x, %y, %z) <{since = 9}> : (tensor<2x1xi1>, tensor<3xi64>, tensor<i64>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @where_ui8_empty
// CHECK: onnx.Constant dense<> : tensor<0xui8>
// CHECK-NEXT: return
func.func @where_ui8_empty() -> tensor<0xui8> {
  %x = onnx.Constant dense<> : tensor<0xi1>
  %y = onnx.Constant dense<1> : tensor<ui8>
  %z = onnx.Constant dense<2> : tensor<1xui8>
  %r = onnx.Where(%x, %y, %z) <{since = 16}> : (tensor<0xi1>, tensor<ui8>, tensor<1xui8>) -> tensor<0xui8>
  return %r : tensor<0xui8>
}

// -----

// CHECK-LABEL: @where_f64_rank0
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<f64>
// CHECK-NEXT: return
func.func @where_f64_rank0() -> tensor<f64> {
  %x = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f64>
  %z = onnx.Constant dense<2.000000e+00> : tensor<f64>
  %r = onnx.Where(%x, %y, %z) <{since = 16}> : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}

// -----

// CHECK-LABEL: @where_f32_mismatch_stays
// CHECK: onnx.Where(
func.func @where_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Where not folded: shapes [2] and [2] and [3] do not broadcast}}
  %r = onnx.Where(%x, %y, %z) <{since = 16}> : (tensor<2xi1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @where_dynamic_condition_stays
// CHECK: onnx.Where(
func.func @where_dynamic_condition_stays(%c: tensor<2xi1>) -> tensor<2xf32> {
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %z = onnx.Constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
  %r = onnx.Where(%c, %y, %z) <{since = 16}> : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Partly known integers: (b, 3) where true and 7 elsewhere, less (b, 3).
// CHECK-LABEL: @where_i64_symbolic
// CHECK: onnx.Constant dense<[0, 4]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @where_i64_symbolic(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %d = onnx.Constant dense<7> : tensor<i64>
  %t = onnx.Where(%c, %s, %d) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %r = onnx.Sub(%t, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Where a dimension is -1, it is taken as 1: none is.
// CHECK-LABEL: @where_i64_symbolic_decided
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @where_i64_symbolic_decided(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<-1> : tensor<2xi64>
  %o = onnx.Constant dense<1> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %m = onnx.Where(%e, %o, %s) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// It does not matter what the condition is.
// CHECK-LABEL: @where_i64_symbolic_same
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @where_i64_symbolic_same(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %m = onnx.Where(%e, %s, %s) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// The condition may hold or not.
// CHECK-LABEL: @where_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Sub(
// CHECK: return %[[R]]
func.func @where_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %o = onnx.Constant dense<7> : tensor<2xi64>
  %m = onnx.Where(%e, %o, %s) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%m, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
