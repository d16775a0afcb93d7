// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Squeeze(f(Unsqueeze(x))) = f(x) and Unsqueeze(f(Squeeze(x))) = f(x) for
// element-wise f and the same axes
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @cast_between
// CHECK-NEXT: %[[Y:.*]] = onnx.Cast(%arg0) {{.*}}{to = 7 : i64}
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @cast_between(%x: tensor<10x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %q = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}> : (tensor<10x?xf32>, tensor<2xi64>) -> tensor<1x10x1x?xf32>
  %b = onnx.Cast(%a) <{since = 28}> {to = 7 : i64} : (tensor<1x10x1x?xf32>) -> tensor<1x10x1x?xi64>
  %y = onnx.Squeeze(%b, %q) <{since = 13}> : (tensor<1x10x1x?xi64>, tensor<2xi64>) -> tensor<10x?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<10x?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_of_two
// CHECK-NEXT: %[[Y:.*]] = onnx.Add(%arg0, %arg1)
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @sum_of_two(%x: tensor<1x?xf32>, %z: tensor<1x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}> : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<1x1x?xf32>
  %c = onnx.Unsqueeze(%z, %p) <{since = 13}> : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<1x1x?xf32>
  %b = onnx.Add(%a, %c) <{since = 14}> : (tensor<1x1x?xf32>, tensor<1x1x?xf32>) -> tensor<1x1x?xf32>
  %y = onnx.Squeeze(%b, %p) <{since = 13}> : (tensor<1x1x?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_of_a_squeeze
// CHECK-NEXT: %[[Y:.*]] = onnx.Neg(%arg0)
// CHECK-NEXT: onnx.Custom(%[[Y]])
func.func @unsqueeze_of_a_squeeze(%x: tensor<1x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %p) <{since = 13}> : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %b = onnx.Neg(%a) <{since = 13}> : (tensor<?xf32>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%b, %p) <{since = 13}> : (tensor<?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses the Squeeze where the size is no 1.
// CHECK-LABEL: @open_size
// CHECK: onnx.Squeeze(
// CHECK: onnx.Unsqueeze(
func.func @open_size(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %p) <{since = 13}> : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  %b = onnx.Neg(%a) <{since = 13}> : (tensor<3xf32>) -> tensor<3xf32>
  %y = onnx.Unsqueeze(%b, %p) <{since = 13}> : (tensor<3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_axes
// CHECK: onnx.Unsqueeze(
// CHECK: onnx.Squeeze(
func.func @other_axes(%x: tensor<1x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %q = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}> : (tensor<1x3xf32>, tensor<1xi64>) -> tensor<1x1x3xf32>
  %b = onnx.Neg(%a) <{since = 13}> : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  %y = onnx.Squeeze(%b, %q) <{since = 13}> : (tensor<1x1x3xf32>, tensor<1xi64>) -> tensor<1x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<1x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
