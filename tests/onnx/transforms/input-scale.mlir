// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s

// f(x * c, w) = f(x, w * c) for Conv, ConvTranspose, Gemm, MatMul and one c per input channel; also /: 2 ulp of the largest term of each sum
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @conv
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}3.000000e+00], [1.000000e+01]], {{\[\[}}9.000000e+00], [2.000000e+01]]]>
// CHECK: onnx.Conv(%arg0, %[[W]])
func.func @conv(%x: tensor<?x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[3.0], [5.0]]> : tensor<2x1xf32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2x4xf32>, tensor<2x1xf32>) -> tensor<?x2x4xf32>
  %y = onnx.Conv(%t, %w) <{since = 11}> : (tensor<?x2x4xf32>, tensor<2x2x1xf32>) -> tensor<?x2x4xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x4xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @rows_stay
// CHECK: onnx.Mul(
func.func @rows_stay(%x: tensor<?x2x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[3.0, 5.0]> : tensor<2xf32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2x2xf32>, tensor<2xf32>) -> tensor<?x2x2xf32>
  %y = onnx.Conv(%t, %w) <{since = 11}> : (tensor<?x2x2xf32>, tensor<2x2x1xf32>) -> tensor<?x2x2xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// A weight for each matrix of a batch, with factors of its own.
// CHECK-LABEL: @batch
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00], [6.000000e+00]], {{\[\[}}1.500000e+01], [2.800000e+01]]]>
// CHECK: onnx.MatMul(%arg0, %[[W]])
func.func @batch(%x: tensor<?x2x4x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[[2.0, 3.0]], [[5.0, 7.0]]]> : tensor<2x1x2xf32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2x4x2xf32>, tensor<2x1x2xf32>) -> tensor<?x2x4x2xf32>
  %y = onnx.MatMul(%t, %w) <{since = 13}> : (tensor<?x2x4x2xf32>, tensor<2x2x1xf32>) -> tensor<?x2x4x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x4x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// One weight for all matrices, which would become several.
// CHECK-LABEL: @batch_of_one_weight_stays
// CHECK: onnx.Mul(
func.func @batch_of_one_weight_stays(%x: tensor<?x2x4x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %c = onnx.Constant dense<[[[2.0]], [[5.0]]]> : tensor<2x1x1xf32>
  %t = onnx.Mul(%x, %c) <{since = 14}> : (tensor<?x2x4x2xf32>, tensor<2x1x1xf32>) -> tensor<?x2x4x2xf32>
  %y = onnx.MatMul(%t, %w) <{since = 13}> : (tensor<?x2x4x2xf32>, tensor<2x1xf32>) -> tensor<?x2x4x1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x4x1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
