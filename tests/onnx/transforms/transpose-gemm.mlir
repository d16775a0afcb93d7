// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// Gemm(Transpose(x), y, c) = Gemm(x, y, c) with transA, so with y
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @first
// CHECK-NOT: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1) {{.*}}transA = 1
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @first
// EXACT: onnx.Transpose(
func.func @first(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}> {perm = array<i64: 1, 0>}
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gemm(%t, %w) <{since = 13}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @second
// CHECK-NOT: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg1, %arg0) {{.*}}transB = 1
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @second
// EXACT: onnx.Transpose(
func.func @second(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}>
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gemm(%w, %t) <{since = 13}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @back
// CHECK-NOT: onnx.Transpose(
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1, %arg1) {{.*}}alpha = 2.{{.*}}transA = 0
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @back
// EXACT: onnx.Transpose(
func.func @back(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}> {perm = array<i64: 1, 0>}
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gemm(%t, %w, %w) <{since = 13}> {alpha = 2.0 : f32, transA = 1 : i64}
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @addend_stays
// CHECK: %[[T:.*]] = onnx.Transpose(
// CHECK: onnx.Gemm(
// EXACT-LABEL: @addend_stays
// EXACT: onnx.Transpose(
func.func @addend_stays(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}> {perm = array<i64: 1, 0>}
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gemm(%x, %w, %t) <{since = 13}>
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @somebody_else_reads_it_stays
// CHECK: %[[T:.*]] = onnx.Transpose(
// CHECK: onnx.Gemm(
// EXACT-LABEL: @somebody_else_reads_it_stays
// EXACT: onnx.Transpose(
func.func @somebody_else_reads_it_stays(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}> {perm = array<i64: 1, 0>}
    : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gemm(%t, %w) <{since = 13}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y, %t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// They would be exact, but no runtime multiplies them faster.

// CHECK-LABEL: @integers_stay
// CHECK: %[[T:.*]] = onnx.Transpose(
// CHECK: onnx.Gemm(
// EXACT-LABEL: @integers_stay
// EXACT: onnx.Transpose(
func.func @integers_stay(%x: tensor<?x?xi32>, %w: tensor<?x?xi32>) -> tensor<1xf32> {
  %t = onnx.Transpose(%x) <{since = 25}> {perm = array<i64: 1, 0>}
    : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %y = onnx.Gemm(%t, %w) <{since = 13}>
    : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
