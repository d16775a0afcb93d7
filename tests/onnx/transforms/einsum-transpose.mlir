// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Einsum(x) of the same letters in another order = Transpose(x)

// CHECK-LABEL: @swapped
// CHECK: %[[Y:.*]] = onnx.Transpose(%arg0) <{{.*}}> {perm = array<i64: 2, 0, 1>}
// CHECK: onnx.Custom(%[[Y]])
// CHECK-NOT: onnx.Einsum
func.func @swapped(%x: tensor<?x3x4xf32>) -> tensor<1xf32> {
  %a = onnx.Einsum(%x) <{since = 12}> {equation = "ijk -> kij"}
    : (tensor<?x3x4xf32>) -> tensor<4x?x3xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Without an arrow letters stand in the order of the alphabet.
// CHECK-LABEL: @implied
// CHECK: onnx.Transpose(%arg0) <{{.*}}> {perm = array<i64: 1, 0>}
func.func @implied(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %a = onnx.Einsum(%x) <{since = 12}> {equation = "ba"}
    : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_order
// CHECK-NOT: onnx.Einsum
// CHECK: onnx.Custom(%arg0)
func.func @same_order(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %a = onnx.Einsum(%x) <{since = 12}> {equation = "ij->ij"}
    : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Sums, diagonals and ellipses are no permutations.
// CHECK-LABEL: @others
// CHECK-COUNT-3: onnx.Einsum
// CHECK-NOT: onnx.Transpose
func.func @others(%x: tensor<3x3xf32>) -> tensor<1xf32> {
  %a = onnx.Einsum(%x) <{since = 12}> {equation = "ij->j"}
    : (tensor<3x3xf32>) -> tensor<3xf32>
  %b = onnx.Einsum(%x) <{since = 12}> {equation = "ii->i"}
    : (tensor<3x3xf32>) -> tensor<3xf32>
  %c = onnx.Einsum(%x) <{since = 12}> {equation = "...i->i..."}
    : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %r = onnx.Custom(%a, %b, %c) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
