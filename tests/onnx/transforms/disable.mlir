// RUN: fold-opt %s --onnx-clean-up=disable=twice,common-subexpression | FileCheck %s
// RUN: not fold-opt %s --onnx-clean-up=disable=thrice 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: onnx-clean-up: disable is 'thrice', expected the name of a clean-up

// Clean-ups can be left out by name; the others run.

// CHECK-LABEL: @left_out
// CHECK-COUNT-2: onnx.Neg(
// CHECK: %[[A:.*]] = onnx.Exp(
// CHECK: %[[B:.*]] = onnx.Exp(
// CHECK-NOT: onnx.Identity
// CHECK: onnx.Custom(%{{.*}}, %[[A]], %[[B]], %arg0)
func.func @left_out(%x: tensor<2xf32>) -> tensor<1xf32> {
  %n = onnx.Neg(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %m = onnx.Neg(%n) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %i = onnx.Identity(%x) <{since = 16}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%m, %a, %b, %i) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
