// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @unique
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 1.000000e+00, -0.000000e+00]> : tensor<3xf32>
// CHECK{LITERAL}: onnx.Constant dense<[0, 1, 0, 2, 2, 1]> : tensor<6xi64>
// CHECK{LITERAL}: onnx.Constant dense<2> : tensor<3xi64>
// CHECK-NEXT: return
func.func @unique() -> (tensor<3xf32>, tensor<6xi64>, tensor<3xi64>) {
  %i0 = onnx.Constant dense<[2.000000e+00, 1.000000e+00, 2.000000e+00, -0.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<6xf32>
  %r:3 = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "Unique", since = 1}> : (tensor<6xf32>) -> (tensor<3xf32>, tensor<6xi64>, tensor<3xi64>)
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<6xi64>, tensor<3xi64>
}

// -----

// CHECK-LABEL: @unique_input_missing_stays
// CHECK: onnx.Custom(
func.func @unique_input_missing_stays() -> (tensor<3xf32>, tensor<6xi64>, tensor<3xi64>) {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r:3 = onnx.Custom() <{domain = "com.microsoft", op_type = "Unique", since = 1}> : () -> (tensor<3xf32>, tensor<6xi64>, tensor<3xi64>)
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<6xi64>, tensor<3xi64>
}
