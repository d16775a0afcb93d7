// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.nonzero, stacked.

// CHECK-LABEL: @nonzero_f32
// CHECK{LITERAL}: onnx.Constant dense<[[0, 1, 1], [0, 0, 1]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonzero_f32() -> tensor<2x3xi64> {
  %x = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [5.000000e-01, 0x7FC00000]]> : tensor<2x2xf32>
  %r = onnx.NonZero(%x) <{since = 9}> : (tensor<2x2xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @nonzero_minus_0
// CHECK: onnx.Constant dense<1> : tensor<1x1xi64>
// CHECK-NEXT: return
func.func @nonzero_minus_0() -> tensor<1x1xi64> {
  %x = onnx.Constant dense<[-0.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.NonZero(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

// It was folded to 0 rows: ONNX Runtime makes one row of a scalar, and NumPy refuses it.
// CHECK-LABEL: @nonzero_rank_0_stays
// CHECK: onnx.NonZero(
func.func @nonzero_rank_0_stays() -> tensor<?x?xi64> {
  %x = onnx.Constant dense<5.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.NonZero not folded: input #0 is a scalar, of which ONNX Runtime makes a row}}
  %r = onnx.NonZero(%x) <{since = 13}> : (tensor<f32>) -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}

// -----

// CHECK-LABEL: @nonzero_none
// CHECK: onnx.Constant dense<> : tensor<2x0xi64>
// CHECK-NEXT: return
func.func @nonzero_none() -> tensor<2x0xi64> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<1x2xf32>
  %r = onnx.NonZero(%x) <{since = 13}> : (tensor<1x2xf32>) -> tensor<2x0xi64>
  return %r : tensor<2x0xi64>
}

// -----

// CHECK-LABEL: @nonzero_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xi64>
// CHECK-NEXT: return
func.func @nonzero_empty() -> tensor<2x0xi64> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.NonZero(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<2x0xi64>
  return %r : tensor<2x0xi64>
}

// -----

// CHECK-LABEL: @nonzero_not_constant_stays
// CHECK: onnx.NonZero(
func.func @nonzero_not_constant_stays(%x: tensor<2xf32>) -> tensor<1x?xi64> {
  %r = onnx.NonZero(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<1x?xi64>
  return %r : tensor<1x?xi64>
}
