// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @matmulintegertofloat
// CHECK{LITERAL}: onnx.Constant dense<[[-1.237250e+03, 2.406250e+02], [1.881500e+03, -6.110000e+02]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @matmulintegertofloat() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[168, 67, 195], [73, 161, 25]]> : tensor<2x3xui8>
  %i1 = onnx.Constant dense<[[207, 189], [138, 166], [16, 155]]> : tensor<3x2xui8>
  %i2 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i3 = onnx.Constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
  %i4 = onnx.Constant dense<128> : tensor<ui8>
  %i5 = onnx.Constant dense<128> : tensor<ui8>
  %i6 = onnx.Constant dense<[1.250000e+00, -7.500000e-01]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6) <{domain = "com.microsoft", op_type = "MatMulIntegerToFloat", since = 1}> : (tensor<2x3xui8>, tensor<3x2xui8>, tensor<f32>, tensor<2xf32>, tensor<ui8>, tensor<ui8>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @matmulintegertofloat_input_missing_stays
// CHECK: onnx.Custom(
func.func @matmulintegertofloat_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[168, 67, 195], [73, 161, 25]]> : tensor<2x3xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "MatMulIntegerToFloat", since = 1}> : (tensor<2x3xui8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
