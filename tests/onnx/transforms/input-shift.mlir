// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s

// f(x + c, w, b) = f(x, w, b + sum(w * c)) for Conv without pads, Gemm and one c per input channel; also -: 2 ulp of the sum of all |x * w| and |c * w|
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @conv
// CHECK: %[[B:.*]] = onnx.Constant {{.*}}dense<[1.400000e+01, 3.100000e+01]>
// CHECK: onnx.Conv(%arg0, %{{.*}}, %[[B]])
func.func @conv(%x: tensor<?x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %b = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = onnx.Constant dense<[[3.0], [5.0]]> : tensor<2x1xf32>
  %t = onnx.Add(%x, %c) <{since = 14}> : (tensor<?x2x4xf32>, tensor<2x1xf32>) -> tensor<?x2x4xf32>
  %y = onnx.Conv(%t, %w, %b) <{since = 11}> : (tensor<?x2x4xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<?x2x4xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x4xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// Zeros of the padding were not shifted.
// CHECK-LABEL: @padded_stays
// CHECK: onnx.Add(
func.func @padded_stays(%x: tensor<?x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %c = onnx.Constant dense<[[3.0], [5.0]]> : tensor<2x1xf32>
  %t = onnx.Add(%x, %c) <{since = 14}> : (tensor<?x2x4xf32>, tensor<2x1xf32>) -> tensor<?x2x4xf32>
  %y = onnx.Conv(%t, %w) <{since = 11}> {pads = array<i64: 1, 0>} : (tensor<?x2x4xf32>, tensor<2x2x1xf32>) -> tensor<?x2x5xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x5xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
