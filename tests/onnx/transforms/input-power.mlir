// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// f(x * c, w) = f(x, w * c) for Conv, ConvTranspose, Gemm, MatMul, x = Cast of integers of at most 16 bits and powers of two c, if all w * c are exact
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @bytes
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}2.500000e-01, 5.000000e-01], [7.500000e-01, 1.000000e+00]]>
// CHECK-DAG: %[[X:.*]] = onnx.Cast(
// CHECK: onnx.MatMul(%[[X]], %[[W]])
func.func @bytes(%b: tensor<?x2xui8>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<0.25> : tensor<f32>
  %x = onnx.Cast(%b) <{since = 19}> {to = 1 : i64} : (tensor<?x2xui8>) -> tensor<?x2xf32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  %y = onnx.MatMul(%t, %w) <{since = 13}> : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// They may be denormal, or overflow.
// CHECK-LABEL: @floats_stay
// CHECK: onnx.Mul(
func.func @floats_stay(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c = onnx.Constant dense<0.25> : tensor<f32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  %y = onnx.MatMul(%t, %w) <{since = 13}> : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
