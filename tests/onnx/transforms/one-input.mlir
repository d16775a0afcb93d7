// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Sum(x) = Mean(x) = Min(x) = Max(x) = Concat(x) = x, NaN too
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @sum_13_one_input
// CHECK: onnx.Custom(%arg0)
func.func @sum_13_one_input(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Sum(%x) <{since = 13}>
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_1_one_input
// CHECK: onnx.Custom(%arg0)
func.func @sum_1_one_input(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %y = onnx.Sum(%x) <{since = 1}>
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mean_13_one_input
// CHECK: onnx.Custom(%arg0)
func.func @mean_13_one_input(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Mean(%x) <{since = 13}>
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @min_8_one_input
// CHECK: onnx.Custom(%arg0)
func.func @min_8_one_input(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Min(%x) <{since = 8}>
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @max_13_one_input
// CHECK: onnx.Custom(%arg0)
func.func @max_13_one_input(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Max(%x) <{since = 13}>
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_one_input
// CHECK: onnx.Custom(%arg0)
func.func @concat_one_input(%x: tensor<?x3xi64>) -> tensor<1xf32> {
  %y = onnx.Concat(%x) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x3xi64>) -> tensor<?x3xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_same_input_twice_stays
// CHECK: %[[Y:.*]] = onnx.Sum(
// CHECK: onnx.Custom(%[[Y]])
func.func @sum_same_input_twice_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %y = onnx.Sum(%x, %x) <{since = 13}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @max_two_inputs_stays
// CHECK: %[[Y:.*]] = onnx.Max(
// CHECK: onnx.Custom(%[[Y]])
func.func @max_two_inputs_stays(%x: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<1xf32> {
  %y = onnx.Max(%x, %z) <{since = 13}>
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat_two_inputs_stays
// CHECK: %[[Y:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[Y]])
func.func @concat_two_inputs_stays(%x: tensor<3xf32>, %z: tensor<1xf32>) -> tensor<1xf32> {
  %y = onnx.Concat(%x, %z) <{since = 13}> {axis = 0 : i64}
    : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
