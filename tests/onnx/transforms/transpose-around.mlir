// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Transpose(f(Transpose(x, p), Transpose(y, p)), q) = f(x, y), or
// Transpose(f(x, y), p[q]), for element-wise f, also of scalars, and Concat
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @inverse
// CHECK-NEXT: %[[Y:.*]] = onnx.LeakyRelu(%arg0) {{.*}}{alpha = 1.000000e-01 : f32}
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @inverse(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = onnx.LeakyRelu(%a) <{since = 16}> {alpha = 1.0e-1 : f32} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %y = onnx.Transpose(%b) <{since = 13}> {perm = array<i64: 2, 0, 1>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @composed_with_a_scalar
// CHECK: %[[C:.*]] = onnx.Constant
// CHECK: %[[A:.*]] = onnx.Mul(%arg0, %[[C]])
// CHECK: %[[Y:.*]] = onnx.Transpose(%[[A]])
// CHECK-SAME: perm = array<i64: 1, 0, 2>
// CHECK: onnx.Custom(%[[Y]])
func.func @composed_with_a_scalar(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<3.0> : tensor<f32>
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %b = onnx.Mul(%a, %c) <{since = 14}> : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  %y = onnx.Transpose(%b) <{since = 13}> {perm = array<i64: 0, 2, 1>} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @concat
// CHECK-NEXT: %[[Y:.*]] = onnx.Concat(%arg0, %arg1)
// CHECK-SAME: axis = 2 : i64
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @concat(%x: tensor<?x5x1xf32>, %z: tensor<?x5x2xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 0, 2, 1>} : (tensor<?x5x1xf32>) -> tensor<?x1x5xf32>
  %b = onnx.Transpose(%z) <{since = 13}> {perm = array<i64: 0, 2, 1>} : (tensor<?x5x2xf32>) -> tensor<?x2x5xf32>
  %c = onnx.Concat(%a, %b) <{since = 13}> {axis = -2 : i64} : (tensor<?x1x5xf32>, tensor<?x2x5xf32>) -> tensor<?x3x5xf32>
  %y = onnx.Transpose(%c) <{since = 13}> {perm = array<i64: 0, 2, 1>} : (tensor<?x3x5xf32>) -> tensor<?x5x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x5x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The first Transpose stays for its other reader, and one node is saved.
// CHECK-LABEL: @another_reader_of_the_first
// CHECK: %[[A:.*]] = onnx.Transpose(%arg0)
// CHECK: %[[Y:.*]] = onnx.Sin(%arg0)
// CHECK: onnx.Custom(%[[Y]], %[[A]])
func.func @another_reader_of_the_first(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = onnx.Sin(%a) <{since = 22}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Transpose(%b) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y, %a) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_reader_of_the_node
// CHECK: onnx.Transpose(
// CHECK: onnx.Sin(
// CHECK: onnx.Transpose(
func.func @another_reader_of_the_node(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = onnx.Sin(%a) <{since = 22}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Transpose(%b) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_permutation
// CHECK-COUNT-3: onnx.Transpose(
func.func @another_permutation(%x: tensor<4x4x4xf32>, %z: tensor<4x4x4xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 2, 0>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %b = onnx.Transpose(%z) <{since = 13}> {perm = array<i64: 2, 1, 0>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %c = onnx.Add(%a, %b) <{since = 14}> : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %y = onnx.Transpose(%c) <{since = 13}> {perm = array<i64: 2, 0, 1>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<4x4x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The row is added along another axis of x.
// CHECK-LABEL: @a_row_is_no_scalar
// CHECK-COUNT-2: onnx.Transpose(
func.func @a_row_is_no_scalar(%x: tensor<4x4xf32>, %c: tensor<4xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = onnx.Add(%a, %c) <{since = 14}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %y = onnx.Transpose(%b) <{since = 13}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<4x4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @softmax_has_an_axis
// CHECK-COUNT-2: onnx.Transpose(
func.func @softmax_has_an_axis(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = onnx.Softmax(%a) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Transpose(%b) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses a permutation that does not fit.
// CHECK-LABEL: @unknown_rank
// CHECK-COUNT-2: onnx.Transpose(
func.func @unknown_rank(%x: tensor<*xf32>) -> tensor<1xf32> {
  %a = onnx.Transpose(%x) <{since = 13}> {perm = array<i64: 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  %b = onnx.Sin(%a) <{since = 22}> : (tensor<*xf32>) -> tensor<*xf32>
  %y = onnx.Transpose(%b) <{since = 13}> {perm = array<i64: 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<*xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
