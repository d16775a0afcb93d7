// What MLIR's own passes do with operators (effects, equality, where constants are put).
// RUN: fold-opt %s -cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: fold-opt %s -canonicalize | FileCheck %s --check-prefixes=CHECK,CANON

// Names and ordinals do not keep equal operators apart.
// CHECK-LABEL: @equal_operators_merge
func.func @equal_operators_merge(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CSE: %[[A:.*]] = onnx.Abs
  // CSE-NOT: onnx.Abs
  // CSE: return %[[A]], %[[A]]
  %0 = onnx.Abs(%x) <{since = 13, name = "first", node = 0}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Abs(%x) <{since = 13, name = "second", node = 1, outputs = ["y"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @other_version_stays
func.func @other_version_stays(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CSE-COUNT-2: onnx.Abs
  %0 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Abs(%x) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @other_attribute_stays
func.func @other_attribute_stays(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CSE-COUNT-2: onnx.Softmax
  %0 = onnx.Softmax(%x) <{since = 13}> {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Softmax(%x) <{since = 13}> {axis = -1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @dead_operators_go
func.func @dead_operators_go(%x: tensor<2xf32>, %c: tensor<i1>) {
  // CANON-NEXT: return
  %0 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.RandomNormalLike(%x) <{since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  %2 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    onnx.Yield %0 : tensor<2xf32>
  }, else_branch() {
    onnx.Yield %x : tensor<2xf32>
  }
  return
}

// CHECK-LABEL: @random_operators_never_merge
func.func @random_operators_never_merge() -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-COUNT-2: onnx.RandomNormal
  %0 = onnx.RandomNormal() <{since = 1}> {shape = array<i64: 2>, seed = 1.0 : f32} : () -> tensor<2xf32>
  %1 = onnx.RandomNormal() <{since = 1}> {shape = array<i64: 2>, seed = 1.0 : f32} : () -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @opaque_operators_stay
func.func @opaque_operators_stay(%x: tensor<2xf32>) {
  // CHECK-COUNT-2: onnx.Custom
  %0 = onnx.Custom(%x) <{domain = "com.acme", op_type = "Print"}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Custom(%x) <{domain = "com.acme", op_type = "Print"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @equal_ifs_merge
func.func @equal_ifs_merge(%c: tensor<i1>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CSE-COUNT-1: onnx.If
  // CSE-NOT: onnx.If
  // CSE: return
  %0 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, else_branch() {
    %2 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %2 : tensor<2xf32>
  }
  %1 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, else_branch() {
    %2 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %2 : tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Names of graphs are part of what an operator is: exchanged branches differ.
// CHECK-LABEL: @exchanged_branches_stay
func.func @exchanged_branches_stay(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-COUNT-2: onnx.If
  %0 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, else_branch() {
    onnx.Yield %y : tensor<2xf32>
  }
  %1 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with else_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, then_branch() {
    onnx.Yield %y : tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @constants_stay_in_their_graph
func.func @constants_stay_in_their_graph(%c: tensor<i1>) -> tensor<2xf32> {
  // CANON-NEXT: onnx.If
  // CANON-NEXT: onnx.Constant dense<1.0
  // CANON-NEXT: onnx.Yield
  %0 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    %1 = onnx.Constant dense<1.0> : tensor<2xf32>
    onnx.Yield %1 : tensor<2xf32>
  }, else_branch() {
    %2 = onnx.Constant dense<2.0> : tensor<2xf32>
    onnx.Yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// A fold asked neither what types the operator takes, where a product of two f8 is none, nor how long a list is.
// CHECK-LABEL: @invalid_types_stay
func.func @invalid_types_stay() -> tensor<1x1x4xui8> {
  // CHECK: onnx.QLinearConv
  %x = onnx.Constant dense<[[[10, 11, 12, 255]]]> : tensor<1x1x4xui8>
  %w = onnx.Constant dense<3> : tensor<1x1x1xui8>
  %scale = onnx.Constant dense<5.0e-01> : tensor<f8E4M3FN>
  %zero = onnx.Constant dense<1> : tensor<ui8>
  %0 = onnx.QLinearConv(%x, %scale, %zero, %w, %scale, %zero, %scale, %zero) <{since = 10}> : (tensor<1x1x4xui8>, tensor<f8E4M3FN>, tensor<ui8>, tensor<1x1x1xui8>, tensor<f8E4M3FN>, tensor<ui8>, tensor<f8E4M3FN>, tensor<ui8>) -> tensor<1x1x4xui8>
  return %0 : tensor<1x1x4xui8>
}

// CHECK-LABEL: @endless_list_stays
func.func @endless_list_stays() -> tensor<2xf32> {
  // CHECK: onnx.ReduceLogSum
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %axes = onnx.Constant dense<1> : tensor<4611686018427387904xi64>
  %0 = onnx.ReduceLogSum(%x, %axes) <{since = 18}> : (tensor<2x0xf32>, tensor<4611686018427387904xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
