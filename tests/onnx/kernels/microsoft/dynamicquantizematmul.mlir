// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @dynamicquantizematmul
// CHECK{LITERAL}: onnx.Constant dense<[[-1.071000e+04, -1.121950e+04], [-8.400000e+01, -1.050000e+02]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @dynamicquantizematmul() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[0.000000e+00, 2.550000e+02], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[[184, 175], [44, 40]]> : tensor<2x2xui8>
  %i2 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i3 = onnx.Constant dense<128> : tensor<ui8>
  %i4 = onnx.Constant dense<[-0.000000e+00, 5.000000e-01]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4) <{domain = "com.microsoft", op_type = "DynamicQuantizeMatMul", since = 1}> : (tensor<2x2xf32>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @dynamicquantizematmul_input_missing_stays
// CHECK: onnx.Custom(
func.func @dynamicquantizematmul_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[0.000000e+00, 2.550000e+02], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "DynamicQuantizeMatMul", since = 1}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
