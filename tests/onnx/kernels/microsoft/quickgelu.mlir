// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @quickgelu_1
// CHECK{LITERAL}: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @quickgelu_1() -> tensor<2xf32> {
  %i0 = onnx.Constant dense<0.000000e+00> : tensor<2xf32>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QuickGelu", since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @quickgelu_2
// CHECK{LITERAL}: onnx.Constant dense<[2.31035447, 1.76159418]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @quickgelu_2() -> tensor<2xf32> {
  %i0 = onnx.Constant dense<[2.500000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QuickGelu", since = 1}> {alpha = 1.000000e+00 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @quickgelu_input_missing_stays
// CHECK: onnx.Custom(
func.func @quickgelu_input_missing_stays() -> tensor<2xf32> {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r = onnx.Custom() <{domain = "com.microsoft", op_type = "QuickGelu", since = 1}> : () -> tensor<2xf32>
  return %r : tensor<2xf32>
}
