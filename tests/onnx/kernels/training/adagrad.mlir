// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand from the pseudo code of the specification.

// H = 16 + 9, 9 + 16; X = 10 - 2 * 3 / (5 + 1e-6), 20 + 2 * 4 / (5 + 1e-6)
// CHECK-LABEL: @adagrad_f32
// CHECK-DAG: onnx.Constant dense<[8.800000e+00, 2.160000e+01]> : tensor<2xf32>
// CHECK-DAG: onnx.Constant dense<2.500000e+01> : tensor<2xf32>
// CHECK-NOT: onnx.training.Adagrad(
func.func @adagrad_f32() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<5> : tensor<i64>
  %r = onnx.Constant dense<[1.000000e+01, 2.000000e+01]> : tensor<2xf32>
  %b = onnx.Constant dense<[3.000000e+00, -4.000000e+00]> : tensor<2xf32>
  %s = onnx.Constant dense<[1.600000e+01, 9.000000e+00]> : tensor<2xf32>
  %y:2 = onnx.training.Adagrad(%x, %w, %r, %b, %s) <{since = 1}> : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %y#0, %y#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// r = 3 / (1 + 4 * 0.5) = 1, G = 2 + 1 = 3, H = 7 + 9 = 16, X = 2 - 3 / (4 + 2)
// CHECK-LABEL: @adagrad_f32_attributes
// CHECK-DAG: onnx.Constant dense<1.500000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.600000e+01> : tensor<1xf32>
// CHECK-NOT: onnx.training.Adagrad(
func.func @adagrad_f32_attributes() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<4> : tensor<i64>
  %r = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %s = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  %y:2 = onnx.training.Adagrad(%x, %w, %r, %b, %s) <{since = 1}> {norm_coefficient = 1.0 : f32, decay_factor = 0.5 : f32, epsilon = 2.0 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<1xf32>, tensor<1xf32>
}

// -----

// X1 = 1 - 6 * 2 / (2 + 1), X2 = 2 - 6 / (1 + 1) = -1
// CHECK-LABEL: @adagrad_two_tensors_of_two_types
// CHECK-DAG: onnx.Constant dense<-3.000000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<-1.000000e+00> : tensor<1x1xf64>
// CHECK-DAG: onnx.Constant dense<4.000000e+00> : tensor<1xf32>
// CHECK-DAG: onnx.Constant dense<1.000000e+00> : tensor<1x1xf64>
// CHECK-NOT: onnx.training.Adagrad(
func.func @adagrad_two_tensors_of_two_types() -> (tensor<1xf32>, tensor<1x1xf64>, tensor<1xf32>, tensor<1x1xf64>) {
  %x = onnx.Constant dense<6.000000e+00> : tensor<f64>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  %b = onnx.Constant dense<2.000000e+00> : tensor<1x1xf64>
  %s = onnx.Constant dense<2.000000e+00> : tensor<1xf32>
  %h = onnx.Constant dense<1.000000e+00> : tensor<1x1xf64>
  %c = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %p = onnx.Constant dense<0.000000e+00> : tensor<1x1xf64>
  %y:4 = onnx.training.Adagrad(%x, %w, %r, %b, %s, %h, %c, %p) <{since = 1}> {epsilon = 1.0 : f32} : (tensor<f64>, tensor<i64>, tensor<1xf32>, tensor<1x1xf64>, tensor<1xf32>, tensor<1x1xf64>, tensor<1xf32>, tensor<1x1xf64>) -> (tensor<1xf32>, tensor<1x1xf64>, tensor<1xf32>, tensor<1x1xf64>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<1xf32>, tensor<1x1xf64>, tensor<1xf32>, tensor<1x1xf64>
}

// -----

// CHECK-LABEL: @adagrad_f32_state_of_another_shape_stays
// CHECK: onnx.training.Adagrad(
func.func @adagrad_f32_state_of_another_shape_stays() -> (tensor<2xf32>, tensor<1xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<8.000000e+00> : tensor<2xf32>
  %b = onnx.Constant dense<3.000000e+00> : tensor<2xf32>
  %s = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.training.Adagrad not folded: input #4 has shape [1], expected [2] as input #2}}
  %y:2 = onnx.training.Adagrad(%x, %w, %r, %b, %s) <{since = 1}> : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>)
  return %y#0, %y#1 : tensor<2xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: @adagrad_f32_no_triple_stays
// CHECK: onnx.training.Adagrad(
func.func @adagrad_f32_no_triple_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<8.000000e+00> : tensor<2xf32>
  %b = onnx.Constant dense<3.000000e+00> : tensor<2xf32>
  // expected-remark @+1 {{onnx.training.Adagrad not folded: 4 inputs and 1 results are not tensors of 3 inputs each}}
  %y = onnx.training.Adagrad(%x, %w, %r, %b) <{since = 1}> : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @adagrad_f32_two_rates_stays
// CHECK: onnx.training.Adagrad(
func.func @adagrad_f32_two_rates_stays() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = onnx.Constant dense<1.000000e+00> : tensor<2xf32>
  %w = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.Constant dense<8.000000e+00> : tensor<2xf32>
  %b = onnx.Constant dense<3.000000e+00> : tensor<2xf32>
  %s = onnx.Constant dense<0.000000e+00> : tensor<2xf32>
  // expected-remark @+1 {{onnx.training.Adagrad not folded: input #0 has shape [2], expected one element}}
  %y:2 = onnx.training.Adagrad(%x, %w, %r, %b, %s) <{since = 1}> : (tensor<2xf32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %y#0, %y#1 : tensor<2xf32>, tensor<2xf32>
}
