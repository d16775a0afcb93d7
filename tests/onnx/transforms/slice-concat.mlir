// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Slice(Concat(x, y), all of y) = y
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @first
// CHECK-NOT: onnx.Slice(
// CHECK: onnx.Custom(%arg0)
func.func @first(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %e = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @second
// CHECK-NOT: onnx.Slice(
// CHECK: onnx.Custom(%arg1)
func.func @second(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<-1> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The last one is what is left, whatever its size.

// CHECK-LABEL: @to_the_end
// CHECK-NOT: onnx.Slice(
// CHECK: onnx.Custom(%arg1)
func.func @to_the_end(%x: tensor<?x2xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @a_part_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @a_part_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<4> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @across_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @across_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<3> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @behind_an_unknown_size_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @behind_an_unknown_size_stays(%x: tensor<?x?xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @steps_stay
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @steps_stay(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %p = onnx.Constant dense<2> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_axis_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @other_axis_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %e = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @to_the_end_of_two_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @to_the_end_of_two_stays(%x: tensor<?x2xf32>, %z: tensor<?x?xf32>, %u: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z, %u) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
