// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x * 1 = x / 1 = Pow(x, 1) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @mul_1
// CHECK: onnx.Custom(%arg0)
func.func @mul_1(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_1_left_i64
// CHECK: onnx.Custom(%arg0)
func.func @mul_1_left_i64(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.Mul(%c, %x) <{since = 13}>
    : (tensor<1xi64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_ones_same_shape
// CHECK: onnx.Custom(%arg0)
func.func @mul_ones_same_shape(%x: tensor<2x3xf16>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<2x3xf16>
  %y = onnx.Mul(%x, %c) <{since = 13}>
    : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_legacy_broadcast
// CHECK: onnx.Custom(%arg0)
func.func @mul_legacy_broadcast(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<1xf32>
  %y = onnx.Mul(%x, %c) <{since = 6}> {broadcast = 1 : i64}
    : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @div_1
// CHECK: onnx.Custom(%arg0)
func.func @div_1(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %y = onnx.Div(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @div_1_i32
// CHECK: onnx.Custom(%arg0)
func.func @div_1_i32(%x: tensor<?xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1> : tensor<i32>
  %y = onnx.Div(%x, %c) <{since = 7}>
    : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pow_1
// CHECK: onnx.Custom(%arg0)
func.func @pow_1(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1> : tensor<i64>
  %y = onnx.Pow(%x, %c) <{since = 15}>
    : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @div_of_1_stays
// CHECK: %[[Y:.*]] = onnx.Div(
// CHECK: onnx.Custom(%[[Y]])
func.func @div_of_1_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<f32>
  %y = onnx.Div(%c, %x) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pow_of_1_stays
// CHECK: %[[Y:.*]] = onnx.Pow(
// CHECK: onnx.Custom(%[[Y]])
func.func @pow_of_1_stays(%x: tensor<3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<3xf32>
  %y = onnx.Pow(%c, %x) <{since = 15}>
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It broadcasts.
// CHECK-LABEL: @mul_scalar_by_ones_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_scalar_by_ones_stays(%x: tensor<f32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<3xf32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The dimension may be 1.
// CHECK-LABEL: @mul_dynamic_by_ones_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_dynamic_by_ones_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<3xf32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_rank_grows_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_rank_grows_stays(%x: tensor<3xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0> : tensor<1x1xf32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<3xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_not_all_ones_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_not_all_ones_stays(%x: tensor<2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_minus_1_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_minus_1_stays(%x: tensor<2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<-1.0> : tensor<f32>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_almost_1_stays
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK: onnx.Custom(%[[Y]])
func.func @mul_almost_1_stays(%x: tensor<2xf64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<1.0000000000000002> : tensor<f64>
  %y = onnx.Mul(%x, %c) <{since = 14}>
    : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
