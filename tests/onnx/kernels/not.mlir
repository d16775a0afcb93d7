// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool.

// CHECK-LABEL: @not_i1_empty
// CHECK: onnx.Constant dense<> : tensor<0xi1>
// CHECK-NEXT: return
func.func @not_i1_empty() -> tensor<0xi1> {
  %x = onnx.Constant dense<> : tensor<0xi1>
  %r = onnx.Not(%x) <{since = 1}> : (tensor<0xi1>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// -----

// CHECK-LABEL: @not_ui8_stays
// CHECK: onnx.Not(
func.func @not_ui8_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[0, 1]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Not not folded: input #0 ('X') is tensor<2xui8>, expected one of}}
  %r = onnx.Not(%x) <{since = 1}> : (tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// not (d == 1, 3 == 3): the second is known.
// CHECK-LABEL: @not_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<false> : tensor<i1>
// CHECK: return %[[R]]
func.func @not_symbolic(%x: tensor<?x3xf32>) -> tensor<i1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %n = onnx.Not(%e) <{since = 1}> : (tensor<2xi1>) -> tensor<2xi1>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%n, %i) <{since = 13}> : (tensor<2xi1>, tensor<i64>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// The first is not.
// CHECK-LABEL: @not_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Not(
// CHECK: return %[[R]]
func.func @not_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<2xi1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e = onnx.Equal(%s, %c) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %r = onnx.Not(%e) <{since = 1}> : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
