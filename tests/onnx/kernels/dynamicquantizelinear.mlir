// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand; each step in f32.

// Ties go to even before the zero point is added: 0.5 to 0, 1.5 to 2.
// CHECK-LABEL: @dynamicquantizelinear
// CHECK-DAG: onnx.Constant dense<[0, 128, 255, 128, 128, 130]> : tensor<6xui8>
// CHECK-DAG: onnx.Constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: onnx.Constant dense<128> : tensor<ui8>
// CHECK-NOT: onnx.DynamicQuantizeLinear(
func.func @dynamicquantizelinear() -> (tensor<6xui8>, tensor<f32>, tensor<ui8>) {
  %x = onnx.Constant dense<[-6.400000e+01, 0.000000e+00, 6.350000e+01, -2.500000e-01, 2.500000e-01, 7.500000e-01]> : tensor<6xf32>
  %r:3 = onnx.DynamicQuantizeLinear(%x) <{since = 11}> : (tensor<6xf32>) -> (tensor<6xui8>, tensor<f32>, tensor<ui8>)
  return %r#0, %r#1, %r#2 : tensor<6xui8>, tensor<f32>, tensor<ui8>
}

// -----

// CHECK-LABEL: @dynamicquantizelinear_of_zeros_stays
// CHECK: onnx.DynamicQuantizeLinear(
func.func @dynamicquantizelinear_of_zeros_stays() -> (tensor<2xui8>, tensor<f32>, tensor<ui8>) {
  %x = onnx.Constant dense<0.000000e+00> : tensor<2xf32>
  // expected-remark @+1 {{onnx.DynamicQuantizeLinear not folded: the elements and 0 range from 0.000000 to 0.000000, which gives no scale}}
  %r:3 = onnx.DynamicQuantizeLinear(%x) <{since = 11}> : (tensor<2xf32>) -> (tensor<2xui8>, tensor<f32>, tensor<ui8>)
  return %r#0, %r#1, %r#2 : tensor<2xui8>, tensor<f32>, tensor<ui8>
}

// -----

// CHECK-LABEL: @dynamicquantizelinear_of_nothing_stays
// CHECK: onnx.DynamicQuantizeLinear(
func.func @dynamicquantizelinear_of_nothing_stays() -> (tensor<0xui8>, tensor<f32>, tensor<ui8>) {
  %x = onnx.Constant dense<> : tensor<0xf32>
  // expected-remark @+1 {{onnx.DynamicQuantizeLinear not folded: the elements and 0 range from 0.000000 to 0.000000, which gives no scale}}
  %r:3 = onnx.DynamicQuantizeLinear(%x) <{since = 11}> : (tensor<0xf32>) -> (tensor<0xui8>, tensor<f32>, tensor<ui8>)
  return %r#0, %r#1, %r#2 : tensor<0xui8>, tensor<f32>, tensor<ui8>
}

// -----

// CHECK-LABEL: @dynamicquantizelinear_of_infinity_stays
// CHECK: onnx.DynamicQuantizeLinear(
func.func @dynamicquantizelinear_of_infinity_stays() -> (tensor<2xui8>, tensor<f32>, tensor<ui8>) {
  %x = onnx.Constant dense<[1.000000e+00, 0x7F800000]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.DynamicQuantizeLinear not folded: the elements and 0 range from 0.000000 to inf, which gives no scale}}
  %r:3 = onnx.DynamicQuantizeLinear(%x) <{since = 11}> : (tensor<2xf32>) -> (tensor<2xui8>, tensor<f32>, tensor<ui8>)
  return %r#0, %r#1, %r#2 : tensor<2xui8>, tensor<f32>, tensor<ui8>
}

// -----

// CHECK-LABEL: @dynamicquantizelinear_of_nan_stays
// CHECK: onnx.DynamicQuantizeLinear(
func.func @dynamicquantizelinear_of_nan_stays() -> (tensor<2xui8>, tensor<f32>, tensor<ui8>) {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.DynamicQuantizeLinear not folded: the elements and 0 range from nan to nan, which gives no scale}}
  %r:3 = onnx.DynamicQuantizeLinear(%x) <{since = 11}> : (tensor<2xf32>) -> (tensor<2xui8>, tensor<f32>, tensor<ui8>)
  return %r#0, %r#1, %r#2 : tensor<2xui8>, tensor<f32>, tensor<ui8>
}
