// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.full.

// An empty shape makes a scalar.
// CHECK-LABEL: @constantofshape_rank_0
// CHECK: onnx.Constant dense<2.500000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @constantofshape_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.ConstantOfShape(%x) <{since = 20}> {value = dense<2.500000e+00> : tensor<1xf32>} : (tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @constantofshape_scalar_value
// CHECK: onnx.Constant dense<true> : tensor<2xi1>
// CHECK-NEXT: return
func.func @constantofshape_scalar_value() -> tensor<2xi1> {
  %x = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.ConstantOfShape(%x) <{since = 9}> {value = dense<true> : tensor<i1>} : (tensor<1xi64>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @constantofshape_empty
// CHECK: onnx.Constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: return
func.func @constantofshape_empty() -> tensor<0x4xf32> {
  %x = onnx.Constant dense<[0, 4]> : tensor<2xi64>
  %r = onnx.ConstantOfShape(%x) <{since = 9}> : (tensor<2xi64>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// -----

// CHECK-LABEL: @constantofshape_negative_stays
// CHECK: onnx.ConstantOfShape(
func.func @constantofshape_negative_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[2, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ConstantOfShape not folded: the shape is [2, -1]}}
  %r = onnx.ConstantOfShape(%x) <{since = 9}> : (tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @constantofshape_huge_stays
// CHECK: onnx.ConstantOfShape(
func.func @constantofshape_huge_stays() -> tensor<1099511627776xf32> {
  %x = onnx.Constant dense<1099511627776> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ConstantOfShape not folded: the result has shape [1099511627776], more than 1073741824 bytes}}
  %r = onnx.ConstantOfShape(%x) <{since = 9}> : (tensor<1xi64>) -> tensor<1099511627776xf32>
  return %r : tensor<1099511627776xf32>
}

// -----

// CHECK-LABEL: @constantofshape_overflow_stays
// CHECK: onnx.ConstantOfShape(
func.func @constantofshape_overflow_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<4611686018427387904> : tensor<2xi64>
  // expected-remark @+1 {{onnx.ConstantOfShape not folded: the result has shape}}
  %r = onnx.ConstantOfShape(%x) <{since = 9}> : (tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @constantofshape_two_values_stays
// CHECK: onnx.ConstantOfShape(
func.func @constantofshape_two_values_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ConstantOfShape not folded: attribute 'value' has shape [2], expected one element}}
  %r = onnx.ConstantOfShape(%x) <{since = 9}> {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>} : (tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
