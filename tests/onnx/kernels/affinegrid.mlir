// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @affinegrid_rounds_once_f16
// CHECK{LITERAL}: onnx.Constant dense<[[[[3.327640e-01, 0.000000e+00], [1.000000e+00, 0.000000e+00], [1.666990e+00, 0.000000e+00]]]]> : tensor<1x1x3x2xf16>
// CHECK-NEXT: return
func.func @affinegrid_rounds_once_f16() -> tensor<1x1x3x2xf16> {
  %x0 = onnx.Constant dense<[[[1.000980e+00, 3.000490e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf16>
  %x1 = onnx.Constant dense<[1, 1, 1, 3]> : tensor<4xi64>
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> : (tensor<1x2x3xf16>, tensor<4xi64>) -> tensor<1x1x3x2xf16>
  return %r : tensor<1x1x3x2xf16>
}

// -----

// CHECK-LABEL: @affinegrid_nothing
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<1x0x4x2xf32>
// CHECK-NEXT: return
func.func @affinegrid_nothing() -> tensor<1x0x4x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<[1, 0, 0, 4]> : tensor<4xi64>
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> {align_corners = 1 : i64} : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<1x0x4x2xf32>
  return %r : tensor<1x0x4x2xf32>
}

// -----

// CHECK-LABEL: @affinegrid_corner_of_1_stays
// CHECK: onnx.AffineGrid(
func.func @affinegrid_corner_of_1_stays() -> tensor<1x2x1x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<[1, 1, 2, 1]> : tensor<4xi64>
  // expected-remark @+1 {{onnx.AffineGrid not folded: a dimension of the size [1, 1, 2, 1] is 1, which -1 and 1 both are the centre of}}
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> {align_corners = 1 : i64} : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<1x2x1x2xf32>
  return %r : tensor<1x2x1x2xf32>
}

// -----

// CHECK-LABEL: @affinegrid_theta_stays
// CHECK: onnx.AffineGrid(
func.func @affinegrid_theta_stays() -> tensor<2x2x2x2xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<[2, 1, 2, 2]> : tensor<4xi64>
  // expected-remark @+1 {{onnx.AffineGrid not folded: theta has type f32 and shape [1, 2, 3], the size is [2, 1, 2, 2]}}
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<2x2x2x2xf32>
  return %r : tensor<2x2x2x2xf32>
}

// -----

// CHECK-LABEL: @affinegrid_size_stays
// CHECK: onnx.AffineGrid(
func.func @affinegrid_size_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<[1, 1, 2]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.AffineGrid not folded: theta has type f32 and shape [1, 2, 3], the size is [1, 1, 2]}}
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> : (tensor<1x2x3xf32>, tensor<3xi64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @affinegrid_large_stays
// CHECK: onnx.AffineGrid(
func.func @affinegrid_large_stays() -> tensor<?x?x?x?xf32> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x2x3xf32>
  %x1 = onnx.Constant dense<[1, 1, 1099511627776, 1099511627776]> : tensor<4xi64>
  // expected-remark @+1 {{onnx.AffineGrid not folded: the result has shape [1, 1099511627776, 1099511627776, 2], more than 1073741824 bytes}}
  %r = onnx.AffineGrid(%x0, %x1) <{since = 20}> : (tensor<1x2x3xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
