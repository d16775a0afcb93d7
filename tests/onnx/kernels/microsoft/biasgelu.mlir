// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @biasgelu
// CHECK{LITERAL}: onnx.Constant dense<[[3.74966836, 3.4991858], [0.345731229, 1.67989647]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @biasgelu() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[2.250000e+00, 2.500000e-01], [-1.000000e+00, -1.500000e+00]]> : tensor<2x2xf32>
  %i1 = onnx.Constant dense<[1.500000e+00, 3.250000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "BiasGelu", since = 1}> : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @biasgelu_input_missing_stays
// CHECK: onnx.Custom(
func.func @biasgelu_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[2.250000e+00, 2.500000e-01], [-1.000000e+00, -1.500000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "BiasGelu", since = 1}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
