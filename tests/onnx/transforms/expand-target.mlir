// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// What the input has already is 1 in the target: the keys of Llama.
// CHECK-LABEL: @repeated_keys
// CHECK: %[[T:.*]] = onnx.Constant dense<[1, 2, 3, 1, 8]> : tensor<5xi64>
// CHECK: onnx.Expand(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @repeated_keys(%x: tensor<?x2x1x?x8xf32>) -> tensor<1xf32> {
    %b = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x2x1x?x8xf32>) -> tensor<1xi64>
    %n = onnx.Shape(%x) <{since = 21}> {start = 3 : i64} : (tensor<?x2x1x?x8xf32>) -> tensor<2xi64>
    %c = onnx.Constant dense<[2, 3]> : tensor<2xi64>
    %t = onnx.Concat(%b, %c, %n) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5xi64>
    %y = onnx.Expand(%x, %t) <{since = 13}> : (tensor<?x2x1x?x8xf32>, tensor<5xi64>) -> tensor<?x2x3x?x8xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x2x3x?x8xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// One that the input does not have.
// CHECK-LABEL: @other_dimension_stays
// CHECK: %[[T:.*]] = onnx.Shape(
// CHECK: onnx.Expand(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @other_dimension_stays(%x: tensor<1x?xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
    %t = onnx.Shape(%z) <{since = 21}> : (tensor<?x?xf32>) -> tensor<2xi64>
    %y = onnx.Expand(%x, %t) <{since = 13}> : (tensor<1x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
