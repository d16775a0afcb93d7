// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @cumprod_wraps
// CHECK{LITERAL}: onnx.Constant dense<65536> : tensor<2xi32>
// CHECK-NEXT: return
func.func @cumprod_wraps() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[65536, 65537]> : tensor<2xi32>
  %x1 = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.CumProd(%x0, %x1) <{since = 26}> : (tensor<2xi32>, tensor<i64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @cumprod_f32_nan
// CHECK{LITERAL}: onnx.Constant dense<[-0.000000e+00, 0xFFC00000, 0xFFC00000]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @cumprod_f32_nan() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[-0.000000e+00, 0x7F800000, 1.000000e+00]> : tensor<3xf32>
  %x1 = onnx.Constant dense<[-1]> : tensor<1xi32>
  %r = onnx.CumProd(%x0, %x1) <{since = 26}> : (tensor<3xf32>, tensor<1xi32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @cumprod_axis_stays
// CHECK: onnx.CumProd(
func.func @cumprod_axis_stays() -> tensor<2xi32> {
  %x0 = onnx.Constant dense<[2, 3]> : tensor<2xi32>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.CumProd not folded: the axes are [1], expected different ones of 1}}
  %r = onnx.CumProd(%x0, %x1) <{since = 26}> : (tensor<2xi32>, tensor<i64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
