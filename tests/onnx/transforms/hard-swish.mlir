// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// x * HardSigmoid(x) = HardSwish(x) for alpha 1 / 6 and beta 1 / 2
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @sixth
// CHECK: %[[Y:.*]] = onnx.HardSwish(%arg0)
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @sixth
// EXACT: onnx.HardSigmoid(
// EXACT: onnx.Mul(
func.func @sixth(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %h = onnx.HardSigmoid(%x) <{since = 22}> {alpha = 0.166666672 : f32, beta = 0.5 : f32}
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%x, %h) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @fifth_stays
// CHECK: onnx.HardSigmoid(
// CHECK: onnx.Mul(
func.func @fifth_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %h = onnx.HardSigmoid(%x) <{since = 22}> {alpha = 0.2 : f32, beta = 0.5 : f32}
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%x, %h) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
