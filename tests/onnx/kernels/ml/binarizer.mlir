// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @binarizer_f32
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @binarizer_f32() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[1.0, 0.5, -2.0, 0x7FC00000]> : tensor<4xf32>
  %r = onnx.ml.Binarizer(%x0) <{since = 1}> {threshold = 5.000000e-01 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @binarizer_i64_is_exact
// CHECK{LITERAL}: onnx.Constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @binarizer_i64_is_exact() -> tensor<2xi64> {
  %x0 = onnx.Constant dense<[9007199254740993, 9007199254740992]> : tensor<2xi64>
  %r = onnx.ml.Binarizer(%x0) <{since = 1}> {threshold = 9007199254740992.0 : f32} : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @binarizer_i32_beyond
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<2xi32>
// CHECK-NEXT: return
func.func @binarizer_i32_beyond() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[2147483647, 0]> : tensor<2xi32>
  %r = onnx.ml.Binarizer(%x0) <{since = 1}> {threshold = 1.000000e+20 : f32} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @binarizer_i32_below
// CHECK{LITERAL}: onnx.Constant dense<1> : tensor<2xi32>
// CHECK-NEXT: return
func.func @binarizer_i32_below() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[-2147483648, 0]> : tensor<2xi32>
  %r = onnx.ml.Binarizer(%x0) <{since = 1}> {threshold = 0xFF800000 : f32} : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
