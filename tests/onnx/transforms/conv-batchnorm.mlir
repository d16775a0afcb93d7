// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up=level=1 --split-input-file | FileCheck %s --check-prefix=EXACT

// BatchNormalization(Conv(x, w, b)) = Conv(x, w * s, (b - mean) * s + bias), s = scale / sqrt(var + epsilon)

// s = [2 / 4, 3 / 1]: w * s = [1, 3], (b - mean) * s + bias = [(1 - 3) / 2 + 10, (2 - 1) * 3 + 20]
// CHECK-LABEL: @conv_batchnorm
// CHECK-DAG: %[[W:.*]] = onnx.Constant dense<{{\[\[\[}}1.000000e+00]], {{\[\[}}3.000000e+00]]]> : tensor<2x1x1xf32>
// CHECK-DAG: %[[B:.*]] = onnx.Constant dense<[9.000000e+00, 2.300000e+01]> : tensor<2xf32>
// CHECK: onnx.Conv(%arg0, %[[W]], %[[B]])
// CHECK-SAME: name = "norm", outputs = ["y"]
// CHECK-NOT: onnx.BatchNormalization
// EXACT-LABEL: @conv_batchnorm
// EXACT: onnx.Conv(
// EXACT: onnx.BatchNormalization(
func.func @conv_batchnorm(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[2.0]], [[1.0]]]> : tensor<2x1x1xf32> {output = "w"}
  %b = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {output = "b"}
  %scale = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32> {output = "scale"}
  %bias = onnx.Constant dense<[10.0, 20.0]> : tensor<2xf32> {output = "bias"}
  %mean = onnx.Constant dense<[3.0, 1.0]> : tensor<2xf32> {output = "mean"}
  %var = onnx.Constant dense<[16.0, 1.0]> : tensor<2xf32> {output = "var"}
  %c = onnx.Conv(%x, %w, %b) <{since = 11, name = "conv", outputs = ["c"], node = 0}>
    : (tensor<1x1x4xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %y = onnx.BatchNormalization(%c, %scale, %bias, %mean, %var)
      <{since = 15, name = "norm", outputs = ["y"], node = 1}> {epsilon = 0.0 : f32}
    : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}

// -----

// Somebody else reads the result of the Conv.
// CHECK-LABEL: @other_reader
// CHECK: onnx.BatchNormalization(
func.func @other_reader(%x: tensor<1x1x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %w = onnx.Constant dense<[[[2.0]], [[1.0]]]> : tensor<2x1x1xf32> {output = "w"}
  %one = onnx.Constant dense<1.0> : tensor<2xf32> {output = "one"}
  %c = onnx.Conv(%x, %w) <{since = 11, outputs = ["c"], node = 0}>
    : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.BatchNormalization(%c, %one, %one, %one, %one) <{since = 15, outputs = ["y"], node = 1}>
    : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %y, %c : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// Statistics of the batch at hand.
// CHECK-LABEL: @training
// CHECK: onnx.BatchNormalization(
func.func @training(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %w = onnx.Constant dense<[[[2.0]], [[1.0]]]> : tensor<2x1x1xf32> {output = "w"}
  %one = onnx.Constant dense<1.0> : tensor<2xf32> {output = "one"}
  %c = onnx.Conv(%x, %w) <{since = 11, outputs = ["c"], node = 0}>
    : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.BatchNormalization(%c, %one, %one, %one, %one)
      <{since = 15, outputs = ["y"], node = 1}> {training_mode = 1 : i64}
    : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  return %y : tensor<1x2x4xf32>
}
