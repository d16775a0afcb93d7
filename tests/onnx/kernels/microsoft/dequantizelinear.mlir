// RUN: fold-opt %s --constprop --fold-quantization --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @dequantizelinear
// CHECK{LITERAL}: onnx.Constant dense<[[5.300000e+01, 1.250000e+01], [-6.000000e+01, -3.100000e+01]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @dequantizelinear() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[234, 153], [8, 66]]> : tensor<2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "DequantizeLinear", since = 1}> : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @dequantizelinear_input_missing_stays
// CHECK: onnx.Custom(
func.func @dequantizelinear_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[234, 153], [8, 66]]> : tensor<2x2xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "DequantizeLinear", since = 1}> : (tensor<2x2xui8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
