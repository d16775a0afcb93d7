// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// x * 0 of integers, also of matrices and less zero points, x and false, and what moves, casts, compares or joins equal elements = a constant if the shape is known
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @product
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<2x3xi64>
// CHECK: onnx.Custom(%[[Z]])
func.func @product(%x: tensor<2x3xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<2x3xi64>, tensor<i64>) -> tensor<2x3xi64>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi64>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @conjunction
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<false> : tensor<2x3xi1>
// CHECK: onnx.Custom(%[[Z]])
func.func @conjunction(%x: tensor<2x3xi1>) -> tensor<1xf32> {
  %no = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.And(%no, %x) <{since = 7}> : (tensor<i1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi1>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// One element of zeros of a size that is not known.
// CHECK-LABEL: @element
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0.000000e+00> : tensor<1xf32>
// CHECK: onnx.Custom(%[[Z]])
func.func @element(%s: tensor<1xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.ConstantOfShape(%s) <{since = 9}> : (tensor<1xi64>) -> tensor<?xf32>
  %y = onnx.Gather(%z, %zero) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<1xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// 0 * NaN is NaN, 0 * -1 is -0.
// CHECK-LABEL: @floats_stay
// CHECK: onnx.Mul(
func.func @floats_stay(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @open_shapes_stay
// CHECK: onnx.Mul(
func.func @open_shapes_stay(%x: tensor<?x3xi64>) -> tensor<1xf32> {
  %zero = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Mul(%x, %zero) <{since = 14}> : (tensor<?x3xi64>, tensor<i64>) -> tensor<?x3xi64>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xi64>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @matrices
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<2x4xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @matrices(%x: tensor<2x3xi32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<0> : tensor<3x4xi32>
  %y = onnx.MatMul(%x, %w) <{since = 13}> : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @matrices_of_floats_stay
// CHECK: onnx.MatMul(
func.func @matrices_of_floats_stay(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<0.0> : tensor<3x4xf32>
  %y = onnx.MatMul(%x, %w) <{since = 13}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xf32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @matrices_with_a_one_stay
// CHECK: onnx.MatMul(
func.func @matrices_with_a_one_stay(%x: tensor<2x3xi32>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[0], [0], [1]]> : tensor<3x1xi32>
  %y = onnx.MatMul(%x, %w) <{since = 13}> : (tensor<2x3xi32>, tensor<3x1xi32>) -> tensor<2x1xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x1xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @left_zero_point
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<4x2xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @left_zero_point(%x: tensor<3x2xui8>) -> tensor<1xf32> {
  %a = onnx.Constant dense<7> : tensor<4x3xui8>
  %z = onnx.Constant dense<7> : tensor<ui8>
  %y = onnx.MatMulInteger(%a, %x, %z) <{since = 10}> : (tensor<4x3xui8>, tensor<3x2xui8>, tensor<ui8>) -> tensor<4x2xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// Without a zero point it is 0.
// CHECK-LABEL: @no_zero_point
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<4x2xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @no_zero_point(%x: tensor<4x3xi8>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<3x2xui8>
  %y = onnx.MatMulInteger(%x, %b) <{since = 10}> : (tensor<4x3xi8>, tensor<3x2xui8>) -> tensor<4x2xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_point_of_each_row
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<2x4xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @zero_point_of_each_row(%x: tensor<3x4xui8>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[[7, 7, 7], [9, 9, 9]]> : tensor<2x3xui8>
  %z = onnx.Constant dense<[7, 9]> : tensor<2xui8>
  %y = onnx.MatMulInteger(%a, %x, %z) <{since = 10}> : (tensor<2x3xui8>, tensor<3x4xui8>, tensor<2xui8>) -> tensor<2x4xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_point_of_each_column
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<1x4x2xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @zero_point_of_each_column(%x: tensor<1x4x3xi8>) -> tensor<1xf32> {
  %b = onnx.Constant dense<[[[1, 2], [1, 2], [1, 2]]]> : tensor<1x3x2xui8>
  %z = onnx.Constant dense<[[[1, 2]]]> : tensor<1x1x2xui8>
  %x0 = onnx.Constant dense<3> : tensor<i8>
  %y = onnx.MatMulInteger(%x, %b, %x0, %z) <{since = 10}>
    : (tensor<1x4x3xi8>, tensor<1x3x2xui8>, tensor<i8>, tensor<1x1x2xui8>) -> tensor<1x4x2xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x4x2xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// A matrix that is square, with a zero point for each column instead of each row.
// CHECK-LABEL: @zero_points_of_the_other_axis_stay
// CHECK: onnx.MatMulInteger(
func.func @zero_points_of_the_other_axis_stay(%x: tensor<2x4xui8>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[[7, 9], [7, 9]]> : tensor<2x2xui8>
  %z = onnx.Constant dense<[7, 9]> : tensor<2xui8>
  %y = onnx.MatMulInteger(%a, %x, %z) <{since = 10}> : (tensor<2x2xui8>, tensor<2x4xui8>, tensor<2xui8>) -> tensor<2x4xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_zero_point_stays
// CHECK: onnx.MatMulInteger(
func.func @other_zero_point_stays(%x: tensor<4x3xi8>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<3x2xui8>
  %z = onnx.Constant dense<1> : tensor<ui8>
  %x0 = onnx.Constant dense<0> : tensor<i8>
  %y = onnx.MatMulInteger(%x, %b, %x0, %z) <{since = 10}>
    : (tensor<4x3xi8>, tensor<3x2xui8>, tensor<i8>, tensor<ui8>) -> tensor<4x2xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// A runtime may refuse the zero point of the other operand.
// CHECK-LABEL: @unknown_zero_point_stays
// CHECK: onnx.MatMulInteger(
func.func @unknown_zero_point_stays(%x: tensor<4x3xi8>, %x0: tensor<2xi8>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<3x2xui8>
  %y = onnx.MatMulInteger(%x, %b, %x0) <{since = 10}>
    : (tensor<4x3xi8>, tensor<3x2xui8>, tensor<2xi8>) -> tensor<4x2xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// CHECK-LABEL: @weights_of_a_convolution
// CHECK: %[[Z:.*]] = onnx.Constant {{.*}}dense<0> : tensor<1x2x4x4xi32>
// CHECK: onnx.Custom(%[[Z]])
func.func @weights_of_a_convolution(%x: tensor<1x1x4x4xui8>) -> tensor<1xf32> {
  %w = onnx.Constant dense<[[[[5]]], [[[6]]]]> : tensor<2x1x1x1xui8>
  %x0 = onnx.Constant dense<3> : tensor<ui8>
  %z = onnx.Constant dense<[5, 6]> : tensor<2xui8>
  %y = onnx.ConvInteger(%x, %w, %x0, %z) <{since = 10}>
    : (tensor<1x1x4x4xui8>, tensor<2x1x1x1xui8>, tensor<ui8>, tensor<2xui8>) -> tensor<1x2x4x4xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4x4xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}

// -----

// What pads is the zero point for some runtimes and 0 for others.
// CHECK-LABEL: @image_of_a_convolution_stays
// CHECK: onnx.ConvInteger(
func.func @image_of_a_convolution_stays(%w: tensor<2x1x3x3xui8>) -> tensor<1xf32> {
  %x = onnx.Constant dense<3> : tensor<1x1x4x4xui8>
  %x0 = onnx.Constant dense<3> : tensor<ui8>
  %y = onnx.ConvInteger(%x, %w, %x0) <{since = 10}> {pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x1x4x4xui8>, tensor<2x1x3x3xui8>, tensor<ui8>) -> tensor<1x2x4x4xi32>
  %u = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x4x4xi32>) -> tensor<1xf32>
  return %u : tensor<1xf32>
}
