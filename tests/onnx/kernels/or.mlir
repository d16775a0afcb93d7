// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. onnx-mlir ignored `broadcast` and `axis` of version 1 (N4).

// CHECK-LABEL: @or_i1_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @or_i1_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xi1>
  %y = onnx.Constant dense<true> : tensor<1xi1>
  %r = onnx.Or(%x, %y) <{since = 7}> : (tensor<0xi1>, tensor<1xi1>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @or_i1_v1_equal_shapes
// CHECK: onnx.Constant dense<[false, true, true, true]> : tensor<4xi1>
// CHECK-NEXT: return
func.func @or_i1_v1_equal_shapes() -> tensor<4xi1> {
  %x = onnx.Constant dense<[false, false, true, true]> : tensor<4xi1>
  %y = onnx.Constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = onnx.Or(%x, %y) <{since = 1}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: @or_i1_v1_no_broadcast_stays
// CHECK: onnx.Or(
func.func @or_i1_v1_no_broadcast_stays() -> tensor<2x3xi1> {
  %x = onnx.Constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  %y = onnx.Constant dense<[true, false, true]> : tensor<3xi1>
  // expected-remark @+1 {{onnx.Or not folded: shapes [2, 3] and [3] do not broadcast}}
  %r = onnx.Or(%x, %y) <{since = 1}> : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// -----

// CHECK-LABEL: @or_ui8_stays
// CHECK: onnx.Or(
func.func @or_ui8_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[0, 1]> : tensor<2xui8>
  %y = onnx.Constant dense<1> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Or not folded: input #0 ('A') is tensor<2xui8>, expected one of}}
  %r = onnx.Or(%x, %y) <{since = 7}> : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// p or not p.
// CHECK-LABEL: @or_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<true> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @or_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %n = onnx.Not(%e) <{since = 1}> : (tensor<2xi1>) -> tensor<2xi1>
  %r = onnx.Or(%e, %n) <{since = 7}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// p or false.
// CHECK-LABEL: @or_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Or(
// CHECK: return %[[R]]
func.func @or_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %t = onnx.Constant dense<false> : tensor<2xi1>
  %r = onnx.Or(%e, %t) <{since = 7}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
