// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the pseudo code of the specification.

// V = 0.5 * 4 + 0.5 * 2, H = 0.75 * 20 + 0.25 * 4, X = 9 - 3 * 3 / 4
// CHECK-LABEL: @adam_f32_first_step
// CHECK-DAG: onnx.Constant dense<6.750000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.600000e+01> : tensor<1xf32>
// CHECK-NOT: onnx.training.Adam(
func.func @adam_f32_first_step() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<9.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %h = onnx.Constant dense<2.000000e+01> : tensor<1xf32>
  %y:3 = onnx.training.Adam(%x, %w, %r, %b, %s, %h) <{since = 1}> {alpha = 0.5 : f32, beta = 0.75 : f32, epsilon = 0.0 : f32, norm_coefficient = 0.0 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// R = 3 * sqrt(1 - 0.75) / (1 - 0.5) = 3
// CHECK-LABEL: @adam_f32_later_step
// CHECK-DAG: onnx.Constant dense<6.750000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.600000e+01> : tensor<1xf32>
// CHECK-NOT: onnx.training.Adam(
func.func @adam_f32_later_step() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Constant dense<9.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %h = onnx.Constant dense<2.000000e+01> : tensor<1xf32>
  %y:3 = onnx.training.Adam(%x, %w, %r, %b, %s, %h) <{since = 1}> {alpha = 0.5 : f32, beta = 0.75 : f32, epsilon = 0.0 : f32, norm_coefficient = 0.0 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// G = 2; X = (1 - 0.5) * (2 - 4 * 3 / 4)
// CHECK-LABEL: @adam_f32_regularised
// CHECK-DAG: onnx.Constant dense<-5.000000e-01> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.600000e+01> : tensor<1xf32>
// CHECK-NOT: onnx.training.Adam(
func.func @adam_f32_regularised() -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %h = onnx.Constant dense<2.000000e+01> : tensor<1xf32>
  %y:3 = onnx.training.Adam(%x, %w, %r, %b, %s, %h) <{since = 1}> {alpha = 0.5 : f32, beta = 0.75 : f32, epsilon = 0.0 : f32, norm_coefficient = 1.0 : f32, norm_coefficient_post = 0.5 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1, %y#2 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: @adam_f32_no_quadruple_stays
// CHECK: onnx.training.Adam(
func.func @adam_f32_no_quadruple_stays() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.training.Adam not folded: 5 inputs and 2 results are not tensors of 4 inputs each}}
  %y:2 = onnx.training.Adam(%x, %w, %r, %b, %s) <{since = 1}> {alpha = 0.5 : f32, beta = 0.75 : f32, epsilon = 0.0 : f32, norm_coefficient = 0.0 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}
