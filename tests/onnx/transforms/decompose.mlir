// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// an operator that ONNX defines by a function = the only node of it that does
// not fold, or an input of it.
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @crop
// CHECK-DAG: %[[B:.*]] = onnx.Constant dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant dense<[8, 9]>
// CHECK-DAG: %[[A:.*]] = onnx.Constant dense<[2, 3]>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[B]], %[[E]], %[[A]]) <{since = 13, name = "n", outputs = ["y"]}>
// CHECK-NOT: onnx.CenterCropPad
func.func @crop(%x: tensor<?x3x10x12xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[6, 7]> : tensor<2xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, name = "n", outputs = ["y"], node = 0}> {axes = array<i64: 2, 3>}
    : (tensor<?x3x10x12xf32>, tensor<2xi64>) -> tensor<?x3x6x7xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x6x7xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of an odd difference the smaller half is at the beginning.
// CHECK-LABEL: @pad
// CHECK-DAG: %[[P:.*]] = onnx.Constant dense<[0, 1, 0, 2]>
// CHECK: onnx.Pad(%arg0, %[[P]]
// CHECK-NOT: onnx.CenterCropPad
func.func @pad(%x: tensor<4x5xf16>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[4, 8]> : tensor<2xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<4x5xf16>, tensor<2xi64>) -> tensor<4x8xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x8xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nothing is left.
// CHECK-LABEL: @as_it_is
// CHECK-NOT: onnx.CenterCropPad
// CHECK: onnx.Custom(%arg0)
func.func @as_it_is(%x: tensor<?x5xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<5> : tensor<1xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 0}> {axes = array<i64: 1>}
    : (tensor<?x5xf32>, tensor<1xi64>) -> tensor<?x5xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x5xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The shape is computed from what is known in part, and cropped to what is
// there: nothing is known but that this is equal.
// CHECK-LABEL: @as_large_as_it_is
// CHECK-NOT: onnx.CenterCropPad
// CHECK: onnx.Custom(%arg0)
func.func @as_large_as_it_is(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Shape(%x) <{since = 15, outputs = ["s"], node = 0}> : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 1}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of the second one more is known: that the first failed does not matter.
// CHECK-LABEL: @where_more_is_known
// CHECK: onnx.CenterCropPad(%arg0
// CHECK: onnx.Slice(%arg1
// CHECK-NOT: onnx.CenterCropPad
func.func @where_more_is_known(%x: tensor<?xf32>, %z: tensor<9xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<5> : tensor<1xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<5xf32>
  %w = onnx.CenterCropPad(%z, %s) <{since = 18, outputs = ["w"], node = 1}>
    : (tensor<9xf32>, tensor<1xi64>) -> tensor<5xf32>
  %r = onnx.Custom(%y, %w) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<5xf32>, tensor<5xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The squares of constants fold, along whatever axes they are added.
// CHECK-LABEL: @sums_of_squares
// CHECK: %[[C:.*]] = onnx.Constant dense<{{\[}}[1, 4, 9]]>
// CHECK: onnx.ReduceSum(%[[C]], %arg0)
// CHECK-NOT: onnx.ReduceSumSquare
func.func @sums_of_squares(%a: tensor<?xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1, -2, 3]]> : tensor<1x3xi32>
  %y = onnx.ReduceSumSquare(%c, %a) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<1x3xi32>, tensor<?xi64>) -> tensor<?x?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Floats are computed, not only moved: a runtime may round elsewhere.
// CHECK-LABEL: @sums_of_floats_stay
// CHECK: onnx.ReduceSumSquare(
func.func @sums_of_floats_stay(%a: tensor<?xi64>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[[1.0, -2.0, 3.0]]> : tensor<1x3xf32>
  %y = onnx.ReduceSumSquare(%c, %a) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<1x3xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Runtimes clip infinities to the largest numbers.
// CHECK-LABEL: @floats_without_bounds_stay
// CHECK: onnx.Clip(%arg0)
func.func @floats_without_bounds_stay(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Clip(%x) <{since = 13, outputs = ["y"], node = 0}> : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One axis is cropped, the other padded: two nodes for one.
// CHECK-LABEL: @two_nodes_stay
// CHECK: onnx.CenterCropPad(%arg0
func.func @two_nodes_stay(%x: tensor<4x5xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<[3, 8]> : tensor<2xi64>
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<3x8xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3x8xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unknown_shape_stays
// CHECK: onnx.CenterCropPad(%arg0
func.func @unknown_shape_stays(%x: tensor<9xf32>, %s: tensor<1xi64>) -> tensor<1xf32> {
  %y = onnx.CenterCropPad(%x, %s) <{since = 18, outputs = ["y"], node = 0}>
    : (tensor<9xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Relu(x) is Max(x, 0): one node too, but nothing folds, it is only said
// otherwise.
// CHECK-LABEL: @another_word_stays
// CHECK: onnx.Relu(%arg0)
func.func @another_word_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %y = onnx.Relu(%x) <{since = 14, outputs = ["y"], node = 0}> : (tensor<?xi32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One Mul of a constant would be left, but Swish of a runtime rounds its own
// way.
// CHECK-LABEL: @floats_stay
// CHECK: onnx.SwiGLU(
func.func @floats_stay(%x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = onnx.SwiGLU(%a, %x) <{since = 28, outputs = ["y"], node = 0}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
