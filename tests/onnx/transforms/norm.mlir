// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// (x - m) / sqrt(mean((x - m)^2) + e) * scale = LayerNormalization(x, scale) for m = mean(x), RMSNormalization for m = 0
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @layer
// CHECK: %[[S:.*]] = onnx.Constant
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%arg0, %{{[a-z0-9]*}})
// CHECK-SAME: axis = -1 : i64, epsilon = 9.99999974E-6 : f32
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @layer
// EXACT: onnx.ReduceMean(
// EXACT: onnx.Sub(
// EXACT: onnx.Pow(
func.func @layer(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %ax = onnx.Constant dense<-1> : tensor<1xi64>
  %eps = onnx.Constant dense<1.0e-5> : tensor<f32>
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %two = onnx.Constant dense<2.0> : tensor<f32>
  %m = onnx.ReduceMean(%x, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %d = onnx.Sub(%x, %m) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %q = onnx.Pow(%d, %two) <{since = 15}>
    : (tensor<?x8xf32>, tensor<f32>) -> tensor<?x8xf32>
  %v = onnx.ReduceMean(%q, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %w = onnx.Add(%v, %eps) <{since = 13}>
    : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %s = onnx.Sqrt(%w) <{since = 13}>
    : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %n = onnx.Div(%d, %s) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%n, %g) <{since = 13}>
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @squared_by_mul
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%arg0, 
// CHECK: onnx.Custom(%[[Y]])
func.func @squared_by_mul(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %ax = onnx.Constant dense<-1> : tensor<1xi64>
  %eps = onnx.Constant dense<1.0e-5> : tensor<f32>
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %m = onnx.ReduceMean(%x, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %d = onnx.Sub(%x, %m) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %q = onnx.Mul(%d, %d) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %v = onnx.ReduceMean(%q, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %w = onnx.Add(%v, %eps) <{since = 13}>
    : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %s = onnx.Sqrt(%w) <{since = 13}>
    : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %n = onnx.Div(%d, %s) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%g, %n) <{since = 13}>
    : (tensor<8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @rms
// CHECK: %[[Y:.*]] = onnx.RMSNormalization(%arg0, 
// CHECK: onnx.Custom(%[[Y]])
func.func @rms(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %ax = onnx.Constant dense<-1> : tensor<1xi64>
  %eps = onnx.Constant dense<1.0e-5> : tensor<f32>
  %g = onnx.Constant dense<2.0> : tensor<8xf32>
  %q = onnx.Mul(%x, %x) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %v = onnx.ReduceMean(%q, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %w = onnx.Add(%v, %eps) <{since = 13}>
    : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %s = onnx.Sqrt(%w) <{since = 13}>
    : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %n = onnx.Div(%x, %s) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%n, %g) <{since = 13}>
    : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One for all would broadcast; Runtimes want one for each.
// CHECK-LABEL: @one_scale_stays
// CHECK: onnx.Sub(
// CHECK: onnx.Sqrt(
func.func @one_scale_stays(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %ax = onnx.Constant dense<-1> : tensor<1xi64>
  %eps = onnx.Constant dense<1.0e-5> : tensor<f32>
  %g = onnx.Constant dense<2.0> : tensor<1xf32>
  %m = onnx.ReduceMean(%x, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %d = onnx.Sub(%x, %m) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %q = onnx.Mul(%d, %d) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %v = onnx.ReduceMean(%q, %ax) <{since = 18}>
    : (tensor<?x8xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %w = onnx.Add(%v, %eps) <{since = 13}>
    : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  %s = onnx.Sqrt(%w) <{since = 13}>
    : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %n = onnx.Div(%d, %s) <{since = 13}>
    : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  %y = onnx.Mul(%n, %g) <{since = 13}>
    : (tensor<?x8xf32>, tensor<1xf32>) -> tensor<?x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The scale is a value of the run, along the last two dimensions.
// CHECK-LABEL: @scale_of_the_run
// CHECK: %[[Y:.*]] = onnx.LayerNormalization(%arg0, %arg1)
// CHECK-SAME: axis = -2 : i64
// CHECK: onnx.Custom(%[[Y]])
func.func @scale_of_the_run(%x: tensor<?x4x8xf32>, %g: tensor<4x8xf32>) -> tensor<1xf32> {
  %ax = onnx.Constant dense<[2, -2]> : tensor<2xi64>
  %eps = onnx.Constant dense<1.0e-5> : tensor<f32>
  %m = onnx.ReduceMean(%x, %ax) <{since = 18}>
    : (tensor<?x4x8xf32>, tensor<2xi64>) -> tensor<?x1x1xf32>
  %d = onnx.Sub(%x, %m) <{since = 13}>
    : (tensor<?x4x8xf32>, tensor<?x1x1xf32>) -> tensor<?x4x8xf32>
  %q = onnx.Mul(%d, %d) <{since = 13}>
    : (tensor<?x4x8xf32>, tensor<?x4x8xf32>) -> tensor<?x4x8xf32>
  %v = onnx.ReduceMean(%q, %ax) <{since = 18}>
    : (tensor<?x4x8xf32>, tensor<2xi64>) -> tensor<?x1x1xf32>
  %w = onnx.Add(%v, %eps) <{since = 13}>
    : (tensor<?x1x1xf32>, tensor<f32>) -> tensor<?x1x1xf32>
  %s = onnx.Sqrt(%w) <{since = 13}>
    : (tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %n = onnx.Div(%d, %s) <{since = 13}>
    : (tensor<?x4x8xf32>, tensor<?x1x1xf32>) -> tensor<?x4x8xf32>
  %y = onnx.Mul(%n, %g) <{since = 13}>
    : (tensor<?x4x8xf32>, tensor<4x8xf32>) -> tensor<?x4x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
