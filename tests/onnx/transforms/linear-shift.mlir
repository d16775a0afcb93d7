// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// f(x, w, b) + c = f(x, w, b + c) for Conv, ConvTranspose, Gemm and one c per channel
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @conv
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[3.000000e+00, 6.000000e+00]>
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %{{.*}}, %[[B]])
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @conv
// EXACT: onnx.Conv(
// EXACT: onnx.Add(
func.func @conv(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %b = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = onnx.Constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a = onnx.Conv(%x, %w, %b) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Add(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<-2.000000e+00> : tensor<2xf32>
// CHECK: onnx.Conv(%arg0, %{{.*}}, %[[B]])
func.func @minus(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Sub(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gemm
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[3.000000e+00, 5.000000e+00]>
// CHECK: onnx.Gemm(%arg0, %{{.*}}, %[[B]])
func.func @gemm(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<1.0> : tensor<2xf32>
  %s = onnx.Constant dense<[2.0, 4.0]> : tensor<2xf32>
  %a = onnx.Gemm(%x, %w, %b) <{since = 13}>
    : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %y = onnx.Add(%a, %s) <{since = 14}>
    : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Another number for each place.
// CHECK-LABEL: @places_stay
// CHECK: onnx.Conv(
// CHECK: onnx.Add(
func.func @places_stay(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Add(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus_conv_stays
// CHECK: onnx.Conv(
// CHECK: onnx.Sub(
func.func @minus_conv_stays(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Sub(%s, %a) <{since = 14}>
    : (tensor<f32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// beta is multiplied into the bias.
// CHECK-LABEL: @half_a_bias
// CHECK: %[[C:.*]] = onnx.Constant dense<[2.500000e+00, 4.500000e+00]>
// CHECK: onnx.Gemm(%arg0, %{{.*}}, %[[C]])
// CHECK-NOT: beta
// CHECK: return
func.func @half_a_bias(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %b = onnx.Constant dense<1.0> : tensor<2xf32>
  %s = onnx.Constant dense<[2.0, 4.0]> : tensor<2xf32>
  %a = onnx.Gemm(%x, %w, %b) <{since = 13}> {beta = 0.5 : f32}
    : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %y = onnx.Add(%a, %s) <{since = 14}>
    : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
