// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Einsum(x, c, d) = Einsum(x, Einsum(c, d)) for constants c, d

// CHECK-LABEL: @two_constants
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}19, 22], [43, 50]]>
// CHECK: onnx.Einsum(%arg0, %[[C]]) <{{.*}}> {equation = "ij,jl->il"}
func.func @two_constants(%x: tensor<?x2xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %d = onnx.Constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %a = onnx.Einsum(%x, %c, %d) <{since = 12}> {equation = "ij,jk,kl->il"}
    : (tensor<?x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<?x2xi64>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What only the constant has is summed.
// CHECK-LABEL: @one_constant
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<[6, 15]>
// CHECK: onnx.Einsum(%arg0, %[[C]]) <{{.*}}> {equation = "ij,j->i"}
func.func @one_constant(%x: tensor<?x2xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %a = onnx.Einsum(%x, %c) <{since = 12}> {equation = "ij,jk->i"}
    : (tensor<?x2xi32>, tensor<2x3xi32>) -> tensor<?xi32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// An outer product of constants would be larger; floats are rounded elsewhere.
// CHECK-LABEL: @kept
// CHECK: onnx.Einsum(%arg0, %{{.*}}, %{{.*}}) <{{.*}}> {equation = "ij,j,k->ijk"}
// CHECK: onnx.Einsum(%arg1, %{{.*}}) <{{.*}}> {equation = "ij,jk->i"}
func.func @kept(%x: tensor<?x3xi64>, %y: tensor<?x2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %d = onnx.Constant dense<[4, 5, 6]> : tensor<3xi64>
  %a = onnx.Einsum(%x, %c, %d) <{since = 12}> {equation = "ij,j,k->ijk"}
    : (tensor<?x3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x3x3xi64>
  %e = onnx.Constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %b = onnx.Einsum(%y, %e) <{since = 12}> {equation = "ij,jk->i"}
    : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x3xi64>, tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
