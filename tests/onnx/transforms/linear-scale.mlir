// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// f(x, w, b) * c = f(x, w * c, b * c) for Conv, ConvTranspose, Gemm, MatMul and one c per channel
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @conv
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00], [4.000000e+00]], {{\[\[}}1.200000e+01], [1.600000e+01]]]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {{.*}}dense<[2.000000e+00, 8.000000e+00]>
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %[[W]], %[[B]])
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @conv
// EXACT: onnx.Conv(
// EXACT: onnx.Mul(
func.func @conv(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %b = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = onnx.Constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a = onnx.Conv(%x, %w, %b) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conv_div
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}5.000000e-01], [1.000000e+00]], {{\[\[}}1.500000e+00], [2.000000e+00]]]>
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %[[W]])
// CHECK: onnx.Custom(%[[Y]])
func.func @conv_div(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Div(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<f32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conv_transposed
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00], [8.000000e+00]], {{\[\[}}6.000000e+00], [1.600000e+01]]]>
// CHECK: onnx.ConvTranspose(%arg0, %[[W]])
func.func @conv_transposed(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a = onnx.ConvTranspose(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%s, %a) <{since = 14}>
    : (tensor<2x1xf32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gemm
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}2.000000e+00, 4.000000e+00, 6.000000e+00], [1.600000e+01, 2.000000e+01, 2.400000e+01]]>
// CHECK: onnx.Gemm(%arg0, %[[W]], 
func.func @gemm(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = onnx.Constant dense<1.0> : tensor<2xf32>
  %s = onnx.Constant dense<[2.0, 4.0]> : tensor<2xf32>
  %a = onnx.Gemm(%x, %w, %b) <{since = 13}> {transB = 1 : i64}
    : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @matmul
// CHECK-DAG: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}5.000000e-01, 1.000000e+00], [1.500000e+00, 2.000000e+00]]>
// CHECK: onnx.MatMul(%arg0, %[[W]])
func.func @matmul(%x: tensor<?x?x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x?x2xf32>, tensor<2x2xf32>) -> tensor<?x?x2xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<?x?x2xf32>, tensor<f32>) -> tensor<?x?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Another number for each row of x.
// CHECK-LABEL: @rows_stay
// CHECK: onnx.MatMul(
// CHECK: onnx.Mul(
func.func @rows_stay(%x: tensor<3x2xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = onnx.Constant dense<2.0> : tensor<3x1xf32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_over_stays
// CHECK: onnx.Conv(
// CHECK: onnx.Div(
func.func @one_over_stays(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Div(%s, %a) <{since = 14}>
    : (tensor<f32>, tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @no_weight_stays
// CHECK: onnx.MatMul(
// CHECK: onnx.Mul(
func.func @no_weight_stays(%x: tensor<?x2xf32>, %w: tensor<2x2xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.MatMul(%x, %w) <{since = 13}>
    : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Each group has output channels of its own.
// CHECK-LABEL: @groups
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]]>
// CHECK: onnx.ConvTranspose(%arg0, %[[W]])
// CHECK-NOT: onnx.Mul(
func.func @groups(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<1.0> : tensor<2x1x1xf32>
  %s = onnx.Constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %a = onnx.ConvTranspose(%x, %w) <{since = 22}> {group = 2 : i64}
    : (tensor<1x2x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A small factor, where no product loses bits: 0 stays 0.
// CHECK-LABEL: @small_factor
// CHECK: %[[Y:.*]] = onnx.Conv(
// CHECK-NOT: onnx.Mul
// CHECK: onnx.Custom(%[[Y]])
func.func @small_factor(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[0.0], [0.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<[[1.0e-19], [7.0e-6]]> : tensor<2x1xf32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @denormal_product_stays
// CHECK: onnx.Conv(
// CHECK: onnx.Mul(
func.func @denormal_product_stays(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0e-30], [0.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<[[1.0e-9], [7.0e-6]]> : tensor<2x1xf32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @large_factor_stays
// CHECK: onnx.Conv(
// CHECK: onnx.Mul(
func.func @large_factor_stays(%x: tensor<1x2x4xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0], [0.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %s = onnx.Constant dense<[[1.0e9], [7.0]]> : tensor<2x1xf32>
  %a = onnx.Conv(%x, %w) <{since = 22}>
    : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  %y = onnx.Mul(%a, %s) <{since = 14}>
    : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @batch
// CHECK: %[[W:.*]] = onnx.Constant {{.*}}dense<{{\[\[\[}}2.000000e+00, 1.000000e+01]], {{\[\[}}6.000000e+00, 2.000000e+01]]]>
// CHECK: onnx.MatMul(%arg0, %[[W]])
// CHECK-NOT: onnx.Mul(
func.func @batch(%x: tensor<?x2x3x1xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
  %c = onnx.Constant dense<[2.0, 5.0]> : tensor<2xf32>
  %t = onnx.MatMul(%x, %w) <{since = 13}> : (tensor<?x2x3x1xf32>, tensor<2x1x2xf32>) -> tensor<?x2x3x2xf32>
  %y = onnx.Mul(%t, %c) <{since = 14}> : (tensor<?x2x3x2xf32>, tensor<2xf32>) -> tensor<?x2x3x2xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x3x2xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
