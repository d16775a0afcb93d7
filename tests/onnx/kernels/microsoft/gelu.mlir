// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @gelu
// CHECK{LITERAL}: onnx.Constant dense<[[-0.132062212, -0.100323416], [3.2481246, 1.1179378]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @gelu() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[-1.250000e+00, -2.500000e-01], [3.250000e+00, 1.250000e+00]]> : tensor<2x2xf32>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "Gelu", since = 1}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @gelu_input_missing_stays
// CHECK: onnx.Custom(
func.func @gelu_input_missing_stays() -> tensor<2x2xf32> {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r = onnx.Custom() <{domain = "com.microsoft", op_type = "Gelu", since = 1}> : () -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
