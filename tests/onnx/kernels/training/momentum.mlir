// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the pseudo code of the specification.

// G = 2 * 3 + 4 = 10, beta counts from the second step on: V = 0.5 * 8 + 10 = 14, X = 3 - 2 * 14
// CHECK-LABEL: @momentum_f32_first_step
// CHECK-DAG: onnx.Constant dense<-2.500000e+01> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.400000e+01> : tensor<1xf32>
// CHECK-NOT: onnx.training.Momentum(
func.func @momentum_f32_first_step() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  %y:2 = onnx.training.Momentum(%x, %w, %r, %b, %s) <{since = 1}> {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 2.0 : f32, mode = "standard"} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// V = 4 + 0.25 * 10
// CHECK-LABEL: @momentum_f32_later_step
// CHECK-DAG: onnx.Constant dense<-1.000000e+01> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<6.500000e+00> : tensor<1xf32>
// CHECK-NOT: onnx.training.Momentum(
func.func @momentum_f32_later_step() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  %y:2 = onnx.training.Momentum(%x, %w, %r, %b, %s) <{since = 1}> {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 2.0 : f32, mode = "standard"} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// X = 3 - 2 * (10 + 0.5 * 6.5)
// CHECK-LABEL: @momentum_f32_nesterov
// CHECK-DAG: onnx.Constant dense<-2.350000e+01> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<6.500000e+00> : tensor<1xf32>
// CHECK-NOT: onnx.training.Momentum(
func.func @momentum_f32_nesterov() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  %y:2 = onnx.training.Momentum(%x, %w, %r, %b, %s) <{since = 1}> {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 2.0 : f32, mode = "nesterov"} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: @momentum_f32_mode_stays
// CHECK: onnx.training.Momentum(
func.func @momentum_f32_mode_stays() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<4.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.training.Momentum not folded: attribute 'mode' is 'none', expected standard or nesterov}}
  %y:2 = onnx.training.Momentum(%x, %w, %r, %b, %s) <{since = 1}> {alpha = 0.5 : f32, beta = 0.25 : f32, norm_coefficient = 2.0 : f32, mode = "none"} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}
