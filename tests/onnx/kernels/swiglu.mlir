// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand; the sigmoid of 0 is 1/2, of 100 it is 1 in f32.

// CHECK-LABEL: @swiglu_f32
// CHECK: onnx.Constant dense<[3.000000e+02, 0.000000e+00, -0.000000e+00, 0x{{[7F]}}FC00000, 0xFF800000]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @swiglu_f32() -> tensor<5xf32> {
  %x = onnx.Constant dense<[1.000000e+02, 0.000000e+00, -1.000000e+03, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %y = onnx.Constant dense<[3.000000e+00, 7.000000e+00, 5.000000e+00, 1.000000e+00, -2.000000e+00]> : tensor<5xf32>
  %r = onnx.SwiGLU(%x, %y) <{since = 28}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @swiglu_does_not_broadcast_stays
// CHECK: onnx.SwiGLU(
func.func @swiglu_does_not_broadcast_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.SwiGLU not folded: the gate has shape [2], the other input [1]}}
  %r = onnx.SwiGLU(%x, %y) <{since = 28}> : (tensor<2xf32>, tensor<1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
