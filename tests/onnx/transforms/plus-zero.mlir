// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x - 0 = x; x + 0 = x for integers; x + -0 = x for floats
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @add_0_i64
// CHECK: onnx.Custom(%arg0)
func.func @add_0_i64(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @add_0_left_ui8
// CHECK: onnx.Custom(%arg0)
func.func @add_0_left_ui8(%x: tensor<?xui8>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<1xui8>
  %y = onnx.Add(%c, %x) <{since = 14}>
    : (tensor<1xui8>, tensor<?xui8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @add_minus_0_f32
// CHECK: onnx.Custom(%arg0)
func.func @add_minus_0_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<-0.0> : tensor<f32>
  %y = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sub_0_f32
// CHECK: onnx.Custom(%arg0)
func.func @sub_0_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Sub(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sub_0_i32_legacy
// CHECK: onnx.Custom(%arg0)
func.func @sub_0_i32_legacy(%x: tensor<2x3xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<3xi32>
  %y = onnx.Sub(%x, %c) <{since = 6}> {broadcast = 1 : i64}
    : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// -0 + 0 is 0.
// CHECK-LABEL: @add_0_f32_stays
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @add_0_f32_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @add_0_bf16_stays
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @add_0_bf16_stays(%x: tensor<?xbf16>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0.0> : tensor<bf16>
  %y = onnx.Add(%x, %c) <{since = 13}>
    : (tensor<?xbf16>, tensor<bf16>) -> tensor<?xbf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xbf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// -0 - -0 is 0.
// CHECK-LABEL: @sub_minus_0_f32_stays
// CHECK: %[[Y:.*]] = onnx.Sub(
// CHECK: onnx.Custom(%[[Y]])
func.func @sub_minus_0_f32_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<-0.0> : tensor<f32>
  %y = onnx.Sub(%x, %c) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @add_mixed_zeros_stays
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @add_mixed_zeros_stays(%x: tensor<2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %y = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sub_from_0_stays
// CHECK: %[[Y:.*]] = onnx.Sub(
// CHECK: onnx.Custom(%[[Y]])
func.func @sub_from_0_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Sub(%c, %x) <{since = 14}>
    : (tensor<f32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @add_zeros_broadcast_stays
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK: onnx.Custom(%[[Y]])
func.func @add_zeros_broadcast_stays(%x: tensor<1xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<0> : tensor<3xi64>
  %y = onnx.Add(%x, %c) <{since = 14}>
    : (tensor<1xi64>, tensor<3xi64>) -> tensor<3xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
