// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// x / 2 * (1 + erf(x / sqrt(2))) = Gelu(x), and its approximation by tanh
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @erf
// CHECK: %[[Y:.*]] = onnx.Gelu(%arg0)
// CHECK-SAME: approximate = "none"
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @erf
// EXACT: onnx.Div(
// EXACT: onnx.Erf(
// EXACT: onnx.Add(
// EXACT: onnx.Mul(
// EXACT: onnx.Mul(
func.func @erf(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %r2 = onnx.Constant dense<1.41421354> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.Div(%x, %r2) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %e = onnx.Erf(%a) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = onnx.Add(%e, %one) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %m = onnx.Mul(%x, %p) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%m, %half) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @half_first
// CHECK: %[[Y:.*]] = onnx.Gelu(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @half_first(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %r2 = onnx.Constant dense<0.707106769> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.Mul(%r2, %x) <{since = 13}>
    : (tensor<f32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %e = onnx.Erf(%a) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = onnx.Add(%one, %e) <{since = 13}>
    : (tensor<f32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = onnx.Mul(%half, %x) <{since = 13}>
    : (tensor<f32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%m, %p) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @tanh
// CHECK: %[[Y:.*]] = onnx.Gelu(%arg0)
// CHECK-SAME: approximate = "tanh"
// CHECK: onnx.Custom(%[[Y]])
func.func @tanh(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %k = onnx.Constant dense<0.044715> : tensor<f32>
  %s = onnx.Constant dense<0.797884583> : tensor<f32>
  %three = onnx.Constant dense<3.0> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %c3 = onnx.Pow(%x, %three) <{since = 15}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %b = onnx.Mul(%c3, %k) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %u = onnx.Add(%x, %b) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %v = onnx.Mul(%u, %s) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %t = onnx.Tanh(%v) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = onnx.Add(%t, %one) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %m = onnx.Mul(%x, %half) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%m, %p) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_scale_stays
// CHECK: onnx.Erf(
func.func @other_scale_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %r2 = onnx.Constant dense<1.5> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.Div(%x, %r2) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %e = onnx.Erf(%a) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = onnx.Add(%e, %one) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %m = onnx.Mul(%x, %p) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%m, %half) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @before_opset_20_stays
// CHECK: onnx.Erf(
module attributes {onnx.ir_version = 9 : i64, onnx.opset_imports = [#onnx.opset<"", 19>]} {
func.func @before_opset_20_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %r2 = onnx.Constant dense<1.41421354> : tensor<f32>
  %one = onnx.Constant dense<1.0> : tensor<f32>
  %half = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.Div(%x, %r2) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %e = onnx.Erf(%a) <{since = 13}>
    : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %p = onnx.Add(%e, %one) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %m = onnx.Mul(%x, %p) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%m, %half) <{since = 13}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
}
