// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// x * tanh(Softplus(x)) = Mish(x)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @mish
// CHECK: %[[Y:.*]] = onnx.Mish(%arg0)
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @mish
// EXACT: onnx.Softplus(
// EXACT: onnx.Tanh(
// EXACT: onnx.Mul(
func.func @mish(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %s = onnx.Softplus(%x) <{since = 22}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %t = onnx.Tanh(%s) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%x, %t) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_factor_stays
// CHECK: onnx.Softplus(
// CHECK: onnx.Tanh(
func.func @other_factor_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %s = onnx.Softplus(%x) <{since = 22}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %t = onnx.Tanh(%s) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%s, %t) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
