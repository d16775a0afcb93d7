// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.
// Rounding is half to even, before the zero point is added.

// CHECK-LABEL: @qlinearmatmul
// CHECK{LITERAL}: onnx.Constant dense<[[1, 3], [3, 7]]> : tensor<2x2xui8>
// CHECK-NEXT: return
func.func @qlinearmatmul() -> tensor<2x2xui8> {
  %x0 = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<0> : tensor<ui8>
  %x3 = onnx.Constant dense<[[1, 1], [0, 2]]> : tensor<2x2xui8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0> : tensor<ui8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  %r = onnx.QLinearMatMul(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}

// -----

// The stored expectation of 1.21 wrapped.
// CHECK-LABEL: @qlinearmatmul_i8_saturates
// CHECK{LITERAL}: onnx.Constant dense<[[127, -128]]> : tensor<1x2xi8>
// CHECK-NEXT: return
func.func @qlinearmatmul_i8_saturates() -> tensor<1x2xi8> {
  %x0 = onnx.Constant dense<100> : tensor<1x2xi8>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<0> : tensor<i8>
  %x3 = onnx.Constant dense<[[1, -1], [1, -1]]> : tensor<2x2xi8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0> : tensor<i8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<0> : tensor<i8>
  %r = onnx.QLinearMatMul(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x2xi8>, tensor<f32>, tensor<i8>, tensor<2x2xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<1x2xi8>
  return %r : tensor<1x2xi8>
}

// -----

// CHECK-LABEL: @qlinearmatmul_f8
// CHECK{LITERAL}: onnx.Constant dense<6.000000e+00> : tensor<1x1xf8E4M3FN>
// CHECK-NEXT: return
func.func @qlinearmatmul_f8() -> tensor<1x1xf8E4M3FN> {
  %x0 = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf8E4M3FN>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<0.000000e+00> : tensor<f8E4M3FN>
  %x3 = onnx.Constant dense<[[2.000000e+00], [5.000000e-01]]> : tensor<2x1xf8E4M3FN>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0.000000e+00> : tensor<f8E4M3FN>
  %x6 = onnx.Constant dense<2.500000e-01> : tensor<f32>
  %x7 = onnx.Constant dense<0.000000e+00> : tensor<f8E4M3FN>
  %r = onnx.QLinearMatMul(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 21}> : (tensor<1x2xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>, tensor<2x1xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<1x1xf8E4M3FN>
  return %r : tensor<1x1xf8E4M3FN>
}

// -----

// CHECK-LABEL: @qlinearmatmul_shapes_stay
// CHECK: onnx.QLinearMatMul(
func.func @qlinearmatmul_shapes_stay() -> tensor<1x2xui8> {
  %x0 = onnx.Constant dense<[[1, 2, 3]]> : tensor<1x3xui8>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<0> : tensor<ui8>
  %x3 = onnx.Constant dense<[[1, 1], [0, 2]]> : tensor<2x2xui8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0> : tensor<ui8>
  %x6 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  // expected-remark @+1 {{onnx.QLinearMatMul not folded: shapes [1, 3] and [2, 2] do not multiply}}
  %r = onnx.QLinearMatMul(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<1x3xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2xui8>
  return %r : tensor<1x2xui8>
}

// -----

// CHECK-LABEL: @qlinearmatmul_y_by_row_stays
// CHECK: onnx.QLinearMatMul(
func.func @qlinearmatmul_y_by_row_stays() -> tensor<2x2xui8> {
  %x0 = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
  %x1 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x2 = onnx.Constant dense<0> : tensor<ui8>
  %x3 = onnx.Constant dense<[[1, 1], [0, 2]]> : tensor<2x2xui8>
  %x4 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %x5 = onnx.Constant dense<0> : tensor<ui8>
  %x6 = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %x7 = onnx.Constant dense<1> : tensor<ui8>
  // expected-remark @+1 {{onnx.QLinearMatMul not folded: input #6 has shape [2], which does not fit its operand of shape [2, 2]}}
  %r = onnx.QLinearMatMul(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) <{since = 10}> : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2xf32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}
