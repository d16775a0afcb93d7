// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @nhwcmaxpool
// CHECK{LITERAL}: onnx.Constant dense<249> : tensor<1x1x2x1xui8>
// CHECK-NEXT: return
func.func @nhwcmaxpool() -> tensor<1x1x2x1xui8> {
  %i0 = onnx.Constant dense<[[[[23], [215], [149]], [[99], [249], [249]]]]> : tensor<1x2x3x1xui8>
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "NhwcMaxPool", since = 1}> {kernel_shape = array<i64: 2, 2>} : (tensor<1x2x3x1xui8>) -> tensor<1x1x2x1xui8>
  return %r : tensor<1x1x2x1xui8>
}

// -----

// CHECK-LABEL: @nhwcmaxpool_input_missing_stays
// CHECK: onnx.Custom(
func.func @nhwcmaxpool_input_missing_stays() -> tensor<1x1x2x1xui8> {
  // expected-remark @+1 {{onnx.Custom not folded: input #0 is missing}}
  %r = onnx.Custom() <{domain = "com.microsoft", op_type = "NhwcMaxPool", since = 1}> {kernel_shape = array<i64: 2, 2>} : () -> tensor<1x1x2x1xui8>
  return %r : tensor<1x1x2x1xui8>
}
