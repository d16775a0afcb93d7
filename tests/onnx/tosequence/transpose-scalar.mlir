// A linalg.transpose of rank 0 ends the process in MLIR's verifier (docs/upstream-bugs.md).
// RUN: fold-opt %s --convert-onnx-to-sequence | FileCheck %s

// CHECK-LABEL: @scalar
// CHECK-NEXT: return %arg0 : tensor<f32>
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %y = onnx.Transpose(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
