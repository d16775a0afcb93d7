// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed in Python by the formula of the specification, product by product.

// CHECK-LABEL: @matmulinteger_zero_points
// CHECK{LITERAL}: onnx.Constant dense<[[36135, 37112], [55050, 24127]]> : tensor<2x2xi32>
// CHECK-NEXT: return
func.func @matmulinteger_zero_points() -> tensor<2x2xi32> {
  %x0 = onnx.Constant dense<[[174, 35, 201], [109, 240, 66]]> : tensor<2x3xui8>
  %x1 = onnx.Constant dense<[[96, 223], [180, 10], [87, 4]]> : tensor<3x2xui8>
  %x2 = onnx.Constant dense<12> : tensor<ui8>
  %x3 = onnx.Constant dense<0> : tensor<ui8>
  %r = onnx.MatMulInteger(%x0, %x1, %x2, %x3) <{since = 10}> : (tensor<2x3xui8>, tensor<3x2xui8>, tensor<ui8>, tensor<ui8>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// The reference evaluator takes a vector for A along the columns.
// CHECK-LABEL: @matmulinteger_by_row_and_column
// CHECK{LITERAL}: onnx.Constant dense<[[38907, 38091], [57453, 24861]]> : tensor<2x2xi32>
// CHECK-NEXT: return
func.func @matmulinteger_by_row_and_column() -> tensor<2x2xi32> {
  %x0 = onnx.Constant dense<[[174, 35, 201], [109, 240, 66]]> : tensor<2x3xui8>
  %x1 = onnx.Constant dense<[[96, 223], [180, 10], [87, 4]]> : tensor<3x2xui8>
  %x2 = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  %x3 = onnx.Constant dense<[3, 4]> : tensor<2xui8>
  %r = onnx.MatMulInteger(%x0, %x1, %x2, %x3) <{since = 10}> : (tensor<2x3xui8>, tensor<3x2xui8>, tensor<2xui8>, tensor<2xui8>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: @matmulinteger_batches
// CHECK{LITERAL}: onnx.Constant dense<[[[-1526, -9223]], [[15660, 20847]]]> : tensor<2x1x2xi32>
// CHECK-NEXT: return
func.func @matmulinteger_batches() -> tensor<2x1x2xi32> {
  %x0 = onnx.Constant dense<[[[82, -22, -69]], [[57, 94, -102]]]> : tensor<2x1x3xi8>
  %x1 = onnx.Constant dense<[[[129, 93], [185, 238], [136, 191]], [[80, 148], [126, 187], [12, 60]]]> : tensor<2x3x2xui8>
  %x2 = onnx.Constant dense<-3> : tensor<i8>
  %x3 = onnx.Constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xui8>
  %r = onnx.MatMulInteger(%x0, %x1, %x2, %x3) <{since = 10}> : (tensor<2x1x3xi8>, tensor<2x3x2xui8>, tensor<i8>, tensor<2x1x2xui8>) -> tensor<2x1x2xi32>
  return %r : tensor<2x1x2xi32>
}

// -----

// CHECK-LABEL: @matmulinteger_vectors
// CHECK{LITERAL}: onnx.Constant dense<38676> : tensor<i32>
// CHECK-NEXT: return
func.func @matmulinteger_vectors() -> tensor<i32> {
  %x0 = onnx.Constant dense<[174, 35, 201]> : tensor<3xui8>
  %x1 = onnx.Constant dense<[96, 180, 87]> : tensor<3xui8>
  %x2 = onnx.Constant dense<5> : tensor<ui8>
  %r = onnx.MatMulInteger(%x0, %x1, %x2) <{since = 10}> : (tensor<3xui8>, tensor<3xui8>, tensor<ui8>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// CHECK-LABEL: @matmulinteger_shapes_stay
// CHECK: onnx.MatMulInteger(
func.func @matmulinteger_shapes_stay() -> tensor<2x3xi32> {
  %x0 = onnx.Constant dense<[[174, 35, 201], [109, 240, 66]]> : tensor<2x3xui8>
  %x1 = onnx.Constant dense<[[174, 35, 201], [109, 240, 66]]> : tensor<2x3xui8>
  // expected-remark @+1 {{onnx.MatMulInteger not folded: shapes [2, 3] and [2, 3] do not multiply}}
  %r = onnx.MatMulInteger(%x0, %x1) <{since = 10}> : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// -----

// CHECK-LABEL: @matmulinteger_inner_zero_points_stay
// CHECK: onnx.MatMulInteger(
func.func @matmulinteger_inner_zero_points_stay() -> tensor<2x2xi32> {
  %x0 = onnx.Constant dense<[[174, 35, 201], [109, 240, 66]]> : tensor<2x3xui8>
  %x1 = onnx.Constant dense<[[96, 223], [180, 10], [87, 4]]> : tensor<3x2xui8>
  %x2 = onnx.Constant dense<[[1, 2, 3]]> : tensor<1x3xui8>
  // expected-remark @+1 {{onnx.MatMulInteger not folded: input #2 has shape [1, 3], which does not fit its operand of shape [2, 3]}}
  %r = onnx.MatMulInteger(%x0, %x1, %x2) <{since = 10}> : (tensor<2x3xui8>, tensor<3x2xui8>, tensor<1x3xui8>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
