// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.

// Padding is the zero point.
// CHECK-LABEL: @convinteger_zero_points
// CHECK{LITERAL}: onnx.Constant dense<[[[[13231, 16073, 9919, 5192], [26574, 63514, 48186, 17499], [5237, 68123, 80229, 13352], [8358, 38504, 38621, 6525]], [[-16637, -18029, -11723, -5546], [-2207, -46015, -34555, -10825], [-5394, -25953, -44091, -7862], [-504, -6246, -15970, -3103]]]]> : tensor<1x2x4x4xi32>
// CHECK-NEXT: return
func.func @convinteger_zero_points() -> tensor<1x2x4x4xi32> {
  %x0 = onnx.Constant dense<[[[[138, 52, 66], [12, 251, 55], [49, 153, 36]]]]> : tensor<1x1x3x3xui8>
  %x1 = onnx.Constant dense<[[[[226, 200], [89, 102]]], [[[93, 188], [106, 73]]]]> : tensor<2x1x2x2xui8>
  %x2 = onnx.Constant dense<7> : tensor<ui8>
  %x3 = onnx.Constant dense<[1, 200]> : tensor<2xui8>
  %r = onnx.ConvInteger(%x0, %x1, %x2, %x3) <{since = 10}> {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x3x3xui8>, tensor<2x1x2x2xui8>, tensor<ui8>, tensor<2xui8>) -> tensor<1x2x4x4xi32>
  return %r : tensor<1x2x4x4xi32>
}

// -----

// CHECK-LABEL: @convinteger_i8
// CHECK{LITERAL}: onnx.Constant dense<[[[[-6366, 21413], [-12241, -10601]]]]> : tensor<1x1x2x2xi32>
// CHECK-NEXT: return
func.func @convinteger_i8() -> tensor<1x1x2x2xi32> {
  %x0 = onnx.Constant dense<[[[[-118, 52, 66], [12, -5, 55], [49, -103, 36]]]]> : tensor<1x1x3x3xi8>
  %x1 = onnx.Constant dense<[[[[-30, -56], [89, 102]]]]> : tensor<1x1x2x2xi8>
  %none = onnx.Absent
  %x3 = onnx.Constant dense<-128> : tensor<i8>
  %r = onnx.ConvInteger(%x0, %x1, %none, %x3) <{since = 10}> : (tensor<1x1x3x3xi8>, tensor<1x1x2x2xi8>, none, tensor<i8>) -> tensor<1x1x2x2xi32>
  return %r : tensor<1x1x2x2xi32>
}

// -----

// CHECK-LABEL: @convinteger_zero_points_stay
// CHECK: onnx.ConvInteger(
func.func @convinteger_zero_points_stay() -> tensor<1x2x2x2xi32> {
  %x0 = onnx.Constant dense<[[[[138, 52, 66], [12, 251, 55], [49, 153, 36]]]]> : tensor<1x1x3x3xui8>
  %x1 = onnx.Constant dense<[[[[226, 200], [89, 102]]], [[[93, 188], [106, 73]]]]> : tensor<2x1x2x2xui8>
  %x2 = onnx.Constant dense<7> : tensor<ui8>
  %x3 = onnx.Constant dense<[1, 2, 3]> : tensor<3xui8>
  // expected-remark @+1 {{onnx.ConvInteger not folded: input #3 has shape [3], which does not fit its operand of shape [2, 1, 2, 2]}}
  %r = onnx.ConvInteger(%x0, %x1, %x2, %x3) <{since = 10}> : (tensor<1x1x3x3xui8>, tensor<2x1x2x2xui8>, tensor<ui8>, tensor<3xui8>) -> tensor<1x2x2x2xi32>
  return %r : tensor<1x2x2x2xi32>
}
