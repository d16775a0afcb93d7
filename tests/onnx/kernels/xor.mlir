// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. onnx-mlir ignored `broadcast` and `axis` of version 1 (N4).

// CHECK-LABEL: @xor_i1_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @xor_i1_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xi1>
  %y = onnx.Constant dense<true> : tensor<1xi1>
  %r = onnx.Xor(%x, %y) <{since = 7}> : (tensor<0xi1>, tensor<1xi1>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @xor_i1_v1_equal_shapes
// CHECK: onnx.Constant dense<[false, true, true, false]> : tensor<4xi1>
// CHECK-NEXT: return
func.func @xor_i1_v1_equal_shapes() -> tensor<4xi1> {
  %x = onnx.Constant dense<[false, false, true, true]> : tensor<4xi1>
  %y = onnx.Constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = onnx.Xor(%x, %y) <{since = 1}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// CHECK-LABEL: @xor_i1_v1_no_broadcast_stays
// CHECK: onnx.Xor(
func.func @xor_i1_v1_no_broadcast_stays() -> tensor<2x3xi1> {
  %x = onnx.Constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  %y = onnx.Constant dense<[true, false, true]> : tensor<3xi1>
  // expected-remark @+1 {{onnx.Xor not folded: shapes [2, 3] and [3] do not broadcast}}
  %r = onnx.Xor(%x, %y) <{since = 1}> : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// -----

// CHECK-LABEL: @xor_ui8_stays
// CHECK: onnx.Xor(
func.func @xor_ui8_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[0, 1]> : tensor<2xui8>
  %y = onnx.Constant dense<1> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Xor not folded: input #0 ('A') is tensor<2xui8>, expected one of}}
  %r = onnx.Xor(%x, %y) <{since = 7}> : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// p xor p.
// CHECK-LABEL: @xor_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<false> : tensor<2xi1>
// CHECK: return %[[R]]
func.func @xor_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %r = onnx.Xor(%e, %e) <{since = 7}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// p xor true.
// CHECK-LABEL: @xor_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Xor(
// CHECK: return %[[R]]
func.func @xor_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %t = onnx.Constant dense<true> : tensor<2xi1>
  %r = onnx.Xor(%e, %t) <{since = 7}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
