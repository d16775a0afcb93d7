// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s

// f(x, w, zeros) = f(x, w) for Conv, ConvTranspose, DeformConv, Gemm,
// LayerNormalization, LSTM, GRU and RNN
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @conv
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @conv(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<3.0> : tensor<3x2x1x1xf32>
  %b = onnx.Constant dense<0.0> : tensor<3xf32>
  %y = onnx.Conv(%x, %w, %b) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conv_with_minus_0
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @conv_with_minus_0(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<3.0> : tensor<3x2x1x1xf32>
  %b = onnx.Constant dense<-0.0> : tensor<3xf32>
  %y = onnx.Conv(%x, %w, %b) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conv_with_one_bias_stays
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @conv_with_one_bias_stays(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<3.0> : tensor<3x2x1x1xf32>
  %b = onnx.Constant dense<[0.0, 1.0, 0.0]> : tensor<3xf32>
  %y = onnx.Conv(%x, %w, %b) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gemm
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
func.func @gemm(%x: tensor<?x3xf32>, %w: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<3xf32>
  %y = onnx.Gemm(%x, %w, %z) <{since = 13}>
    : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Before version 11 it has to be there.

// CHECK-LABEL: @gemm_7_stays
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @gemm_7_stays(%x: tensor<?x3xf32>, %w: tensor<?x3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<3xf32>
  %y = onnx.Gemm(%x, %w, %z) <{since = 7}>
    : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @layer_normalization
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
func.func @layer_normalization(%x: tensor<?x3xf32>, %s: tensor<3xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<3xf32>
  %y = onnx.LayerNormalization(%x, %s, %z) <{since = 17}>
    : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gru
// CHECK: %[[N:.*]] = onnx.Absent
// CHECK: onnx.GRU(%arg0, %arg1, %arg2, %{{[0-9]+}}, %[[N]], %arg3) {{.*}}, none, none, 
func.func @gru(%x: tensor<?x?x4xf32>, %w: tensor<1x9x4xf32>, %q: tensor<1x9x3xf32>, %h: tensor<1x?x3xf32>) -> tensor<1xf32> {
  %n = onnx.Absent
  %b = onnx.Constant dense<0.0> : tensor<1x18xf32>
  %y:2 = onnx.GRU(%x, %w, %q, %b, %n, %h) <{since = 22}> {hidden_size = 3 : i64}
    : (tensor<?x?x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>, tensor<1x18xf32>, none, tensor<1x?x3xf32>) -> (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>)
  %r = onnx.Custom(%y#0, %y#1) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x?x3xf32>, tensor<1x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
