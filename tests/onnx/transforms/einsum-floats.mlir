// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// Einsum(x, c, d) = Einsum(x, Einsum(c, d)) for constants c, d, up to rounding

// CHECK-LABEL: @two_constants
// CHECK: %[[C:.*]] = onnx.Constant {{.*}}dense<{{\[\[}}1.900000e+01, 2.200000e+01], [4.300000e+01, 5.000000e+01]]>
// CHECK: onnx.Einsum(%arg0, %[[C]]) <{{.*}}> {equation = "ij,jl->il"}
// EXACT-LABEL: @two_constants
// EXACT: {equation = "ij,jk,kl->il"}
func.func @two_constants(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %d = onnx.Constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %a = onnx.Einsum(%x, %c, %d) <{since = 12}> {equation = "ij,jk,kl->il"}
    : (tensor<?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A constant that something else reads does not go: nothing would be saved.
// CHECK-LABEL: @shared
// CHECK: {equation = "ij,jk->i"}
// EXACT-LABEL: @shared
func.func @shared(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = onnx.Einsum(%x, %c) <{since = 12}> {equation = "ij,jk->i"}
    : (tensor<?x2xf32>, tensor<2x2xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a, %c) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nothing would be left of the constants but a number.
// CHECK-LABEL: @number
// CHECK: {equation = "ij,k->ij"}
// EXACT-LABEL: @number
func.func @number(%x: tensor<?x2xf32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = onnx.Einsum(%x, %c) <{since = 12}> {equation = "ij,k->ij"}
    : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
