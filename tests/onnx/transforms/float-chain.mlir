// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// (x + c) + d = x + (c + d), ((x + c) + y) + d = (x + c) + (y + d) = (x + y) + (c + d)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @sum
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<7.500000e-01>
// CHECK: %[[Y:.*]] = onnx.Add(%arg0, %[[C]])
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @sum
// EXACT: onnx.Add(
// EXACT: onnx.Add(
func.func @sum(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<0.5> : tensor<3xf32>
  %c2 = onnx.Constant dense<0.25> : tensor<f32>
  %a = onnx.Add(%c1, %x) <{since = 14}>
    : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @scaled_and_divided
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.750000e-01>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @scaled_and_divided(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3.0> : tensor<f32>
  %c2 = onnx.Constant dense<8.0> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @divided_and_scaled
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.750000e-01>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @divided_and_scaled(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<8.0> : tensor<f32>
  %c2 = onnx.Constant dense<3.0> : tensor<f32>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @divided_twice
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1.600000e+01>
// CHECK: onnx.Div(%arg0, %[[C]])
func.func @divided_twice(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<8.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_between
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.000000e+00>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg{{[01]}}, %arg{{[01]}})
// CHECK: onnx.Add(%[[S]], %[[C]])
func.func @sum_between(%x: tensor<?x3xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %b = onnx.Add(%z, %a) <{since = 14}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%b, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @both_sides
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<-1.000000e+00>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg0, %arg1)
// CHECK: onnx.Add(%[[S]], %[[C]])
func.func @both_sides(%x: tensor<?x3xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %b = onnx.Sub(%z, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %b) <{since = 14}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 1.0e-30 * 1.0e-30 is 0, which x * 1.0e-60 need not be.
// CHECK-LABEL: @overflow_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Mul(
func.func @overflow_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0e-30> : tensor<f32>
  %c2 = onnx.Constant dense<1.0e-30> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @infinity_stays
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @infinity_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<0xFF800000> : tensor<f32>
  %c2 = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus_x_stays
// CHECK: onnx.Sub(
// CHECK: onnx.Add(
func.func @minus_x_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Sub(%c1, %x) <{since = 14}>
    : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
