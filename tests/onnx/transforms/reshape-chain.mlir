// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Reshape(Reshape(x, s), t) = Reshape(x, t) for constant t whose 0 copy what x has there, if the first cannot fail where the second does not
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @reshape_of_reshape
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_reshape(%x: tensor<2x3x4xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[6, 4]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  %t = onnx.Constant dense<[24]> : tensor<1xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<6x4xf32>, tensor<1xi64>) -> tensor<24xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<24xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_flat
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_flat(%x: tensor<?x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x12xf32>, tensor<1xi64>) -> tensor<?xf32>
  %t = onnx.Constant dense<[-1, 3, 4]> : tensor<3xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?xf32>, tensor<3xi64>) -> tensor<?x3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_flatten
// CHECK-NOT: onnx.Flatten
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_flatten(%x: tensor<?x3x4xf32>) -> tensor<1xf32> {
  %a = onnx.Flatten(%x) <{since = 13}>
    : (tensor<?x3x4xf32>) -> tensor<?x?xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_unsqueeze
// CHECK-NOT: onnx.Unsqueeze
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_unsqueeze(%x: tensor<?x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %s) <{since = 13}>
    : (tensor<?x12xf32>, tensor<1xi64>) -> tensor<1x?x12xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<1x?x12xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_known_multiple
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_known_multiple(%x: tensor<?x?x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 12]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?x12xf32>, tensor<2xi64>) -> tensor<?x12xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x12xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_squeeze_that_may_fail_stays
// CHECK: %[[A:.*]] = onnx.Squeeze(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_of_squeeze_that_may_fail_stays(%x: tensor<?x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %s) <{since = 13}>
    : (tensor<?x12xf32>, tensor<1xi64>) -> tensor<12xf32>
  %t = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<12xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_reshape_that_may_fail_stays
// CHECK: %[[A:.*]] = onnx.Reshape(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_of_reshape_that_may_fail_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %t = onnx.Constant dense<[-1]> : tensor<1xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<6xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_a_multiple_that_may_fail_stays
// CHECK: %[[A:.*]] = onnx.Reshape(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_of_a_multiple_that_may_fail_stays(%x: tensor<?x4xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %t = onnx.Constant dense<[-1]> : tensor<1xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_with_a_copied_dimension_stays
// CHECK: %[[A:.*]] = onnx.Reshape(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_with_a_copied_dimension_stays(%x: tensor<2x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[4, 6]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<2x12xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  %t = onnx.Constant dense<[0, 2, 3]> : tensor<3xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<4x2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_transpose_stays
// CHECK: %[[A:.*]] = onnx.Transpose(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_of_transpose_stays(%x: tensor<2x12xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}>
    : (tensor<2x12xf32>) -> tensor<12x2xf32>
  %t = onnx.Constant dense<[24]> : tensor<1xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<12x2xf32>, tensor<1xi64>) -> tensor<24xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<24xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// All that is not copied is asked for, and there is no rest.
// CHECK-LABEL: @reshape_of_copies_and_all_else
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_copies_and_all_else(%x: tensor<?x64xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 8, 8]> : tensor<3xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x64xf32>, tensor<3xi64>) -> tensor<?x8x8xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x8x8xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_copies_and_too_little_stays
// CHECK: %[[A:.*]] = onnx.Reshape(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @reshape_of_copies_and_too_little_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 8, 8]> : tensor<3xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x8x8xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x8x8xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reshape_of_squeeze_of_one
// CHECK-NOT: onnx.Squeeze
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_squeeze_of_one(%x: tensor<?x1x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %s) <{since = 13}>
    : (tensor<?x1x12xf32>, tensor<1xi64>) -> tensor<?x12xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x12xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What the IR does not say, inference does: the type of %b is not known there.
// CHECK-LABEL: @reshape_of_inferred_shape
// CHECK: %[[B:.*]] = onnx.Relu(%arg0)
// CHECK: %[[Y:.*]] = onnx.Reshape(%[[B]],
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @reshape_of_inferred_shape(%x: tensor<?x64xf32>) -> tensor<1xf32> {
  %b = onnx.Relu(%x) <{since = 14}> : (tensor<?x64xf32>) -> tensor<*xf32>
  %s = onnx.Constant dense<[-1, 8]> : tensor<2xi64>
  %a = onnx.Reshape(%b, %s) <{since = 14}>
    : (tensor<*xf32>, tensor<2xi64>) -> tensor<*xf32>
  %t = onnx.Constant dense<[-1, 4]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<*xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nothing is known of x, but what the first refuses the second refuses, too.
// CHECK-LABEL: @rest_of_a_multiple
// CHECK-COUNT-1: onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom
func.func @rest_of_a_multiple(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 12]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x12xf32>
  %t = onnx.Constant dense<[-1, 1, 24]> : tensor<3xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x12xf32>, tensor<3xi64>) -> tensor<?x1x24xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x24xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @rest_of_no_multiple_stays
// CHECK: %[[A:.*]] = onnx.Reshape(%arg0
// CHECK: onnx.Reshape(%[[A]],
func.func @rest_of_no_multiple_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[-1, 12]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x12xf32>
  %t = onnx.Constant dense<[-1, 6]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x12xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x6xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The second target copies what the first one copied.
// CHECK-LABEL: @both_copy
// CHECK: %[[Y:.*]] = onnx.Reshape(%arg0,
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @both_copy(%x: tensor<?x6x8xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[0, 48]> : tensor<2xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x6x8xf32>, tensor<2xi64>) -> tensor<?x48xf32>
  %t = onnx.Constant dense<[0, 3, 16]> : tensor<3xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<?x48xf32>, tensor<3xi64>) -> tensor<?x3x16xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x16xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It copies a size that x has not there.
// CHECK-LABEL: @copies_another
// CHECK-COUNT-2: onnx.Reshape(
func.func @copies_another(%x: tensor<?x8xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[2, -1, 4]> : tensor<3xi64>
  %a = onnx.Reshape(%x, %s) <{since = 14}>
    : (tensor<?x8xf32>, tensor<3xi64>) -> tensor<2x?x4xf32>
  %t = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  %y = onnx.Reshape(%a, %t) <{since = 14}>
    : (tensor<2x?x4xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
