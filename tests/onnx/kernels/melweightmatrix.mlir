// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the example of the operator's node test, and edges computed by hand.

// CHECK-LABEL: @melweightmatrix_triangles
// CHECK: onnx.Constant dense<{{\[\[}}0.000000e+00, 0.000000e+00], [0.3333333{{[0-9e-]*}}, 0.000000e+00], [0.6666666{{[0-9e-]*}}, 0.000000e+00], [1.000000e+00, 0.000000e+00], [0.8333333{{[0-9e-]*}}, 0.1666666{{[0-9e-]*}}], [0.6666666{{[0-9e-]*}}, 0.3333333{{[0-9e-]*}}], [5.000000e-01, 5.000000e-01], [0.3333333{{[0-9e-]*}}, 0.6666666{{[0-9e-]*}}], [0.1666666{{[0-9e-]*}}, 0.8333333{{[0-9e-]*}}], [0.000000e+00, 1.000000e+00], [0.000000e+00, 0.8888888{{[0-9e-]*}}], [0.000000e+00, 0.7777777{{[0-9e-]*}}], [0.000000e+00, 0.6666666{{[0-9e-]*}}], [0.000000e+00, 0.5555555{{[0-9e-]*}}], [0.000000e+00, 0.4444444{{[0-9e-]*}}], [0.000000e+00, 0.3333333{{[0-9e-]*}}], [0.000000e+00, 0.2222222{{[0-9e-]*}}], [0.000000e+00, 0.1111111{{[0-9e-]*}}], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<33x2xf32>
// CHECK-NEXT: return
func.func @melweightmatrix_triangles() -> tensor<33x2xf32> {
  %x0 = onnx.Constant dense<2> : tensor<i64>
  %x1 = onnx.Constant dense<64> : tensor<i64>
  %x2 = onnx.Constant dense<8000> : tensor<i64>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x4 = onnx.Constant dense<4.000000e+03> : tensor<f32>
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<33x2xf32>
  return %r : tensor<33x2xf32>
}

// -----

// CHECK-LABEL: @melweightmatrix_beyond_stays
// CHECK: onnx.MelWeightMatrix(
func.func @melweightmatrix_beyond_stays() -> tensor<9x2xf32> {
  %x0 = onnx.Constant dense<2> : tensor<i64>
  %x1 = onnx.Constant dense<16> : tensor<i64>
  %x2 = onnx.Constant dense<8000> : tensor<i64>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x4 = onnx.Constant dense<4.000000e+04> : tensor<f32>
  // expected-remark @+1 {{onnx.MelWeightMatrix not folded: the upper frequency is beyond the last bin}}
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x2xf32>
  return %r : tensor<9x2xf32>
}

// -----

// CHECK-LABEL: @melweightmatrix_descending_stays
// CHECK: onnx.MelWeightMatrix(
func.func @melweightmatrix_descending_stays() -> tensor<9x2xf32> {
  %x0 = onnx.Constant dense<2> : tensor<i64>
  %x1 = onnx.Constant dense<16> : tensor<i64>
  %x2 = onnx.Constant dense<8000> : tensor<i64>
  %x3 = onnx.Constant dense<1.000000e+02> : tensor<f32>
  %x4 = onnx.Constant dense<1.000000e+01> : tensor<f32>
  // expected-remark @+1 {{onnx.MelWeightMatrix not folded: the frequencies are not 0 <= lower <= upper}}
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x2xf32>
  return %r : tensor<9x2xf32>
}

// -----

// CHECK-LABEL: @melweightmatrix_nan_stays
// CHECK: onnx.MelWeightMatrix(
func.func @melweightmatrix_nan_stays() -> tensor<9x2xf32> {
  %x0 = onnx.Constant dense<2> : tensor<i64>
  %x1 = onnx.Constant dense<16> : tensor<i64>
  %x2 = onnx.Constant dense<8000> : tensor<i64>
  %x3 = onnx.Constant dense<0x7FC00000> : tensor<f32>
  %x4 = onnx.Constant dense<1.000000e+01> : tensor<f32>
  // expected-remark @+1 {{onnx.MelWeightMatrix not folded: the frequencies are not 0 <= lower <= upper}}
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x2xf32>
  return %r : tensor<9x2xf32>
}

// -----

// CHECK-LABEL: @melweightmatrix_no_rate_stays
// CHECK: onnx.MelWeightMatrix(
func.func @melweightmatrix_no_rate_stays() -> tensor<9x2xf32> {
  %x0 = onnx.Constant dense<2> : tensor<i64>
  %x1 = onnx.Constant dense<16> : tensor<i64>
  %x2 = onnx.Constant dense<0> : tensor<i64>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x4 = onnx.Constant dense<1.000000e+01> : tensor<f32>
  // expected-remark @+1 {{onnx.MelWeightMatrix not folded: 2 bands, DFT length 16 and sample rate 0, expected more than 0}}
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x2xf32>
  return %r : tensor<9x2xf32>
}

// -----

// CHECK-LABEL: @melweightmatrix_large_stays
// CHECK: onnx.MelWeightMatrix(
func.func @melweightmatrix_large_stays() -> tensor<?x?xf32> {
  %x0 = onnx.Constant dense<1099511627776> : tensor<i64>
  %x1 = onnx.Constant dense<1099511627776> : tensor<i64>
  %x2 = onnx.Constant dense<8000> : tensor<i64>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %x4 = onnx.Constant dense<1.000000e+01> : tensor<f32>
  // expected-remark @+1 {{onnx.MelWeightMatrix not folded: the result has shape [549755813889, 1099511627776], more than 1073741824 bytes}}
  %r = onnx.MelWeightMatrix(%x0, %x1, %x2, %x3, %x4) <{since = 17}> : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
