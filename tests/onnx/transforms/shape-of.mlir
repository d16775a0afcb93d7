// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Gather, Unsqueeze and Concat of two dimensions are a part of the shape.
// CHECK-LABEL: @two_dimensions
// CHECK-NEXT: %[[S:.*]] = onnx.Shape(%{{.*}}) <{since = 21{{.*}}}> {end = 2 : i64}
// CHECK-NEXT: onnx.Custom(%[[S]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @two_dimensions(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> : (tensor<?x?x32xf32>) -> tensor<3xi64>
    %zero = onnx.Constant dense<0> : tensor<i64>
    %one = onnx.Constant dense<1> : tensor<i64>
    %axis = onnx.Constant dense<0> : tensor<1xi64>
    %a = onnx.Gather(%s, %zero) <{since = 13}> : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
    %b = onnx.Gather(%s, %one) <{since = 13}> : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
    %av = onnx.Unsqueeze(%a, %axis) <{since = 21}> : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %bv = onnx.Unsqueeze(%b, %axis) <{since = 21}> : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %t = onnx.Concat(%av, %bv) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// In the other order they are none.
// CHECK-LABEL: @exchanged_stays
// CHECK: %[[T:.*]] = onnx.Concat(
// CHECK: onnx.Custom(%[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @exchanged_stays(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %a = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x?x32xf32>) -> tensor<1xi64>
    %b = onnx.Shape(%x) <{since = 21}> {start = 1 : i64, end = 2 : i64} : (tensor<?x?x32xf32>) -> tensor<1xi64>
    %t = onnx.Concat(%b, %a) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// Before version 15 Shape gives all dimensions.
// CHECK-LABEL: @old_opset_stays
// CHECK: %[[T:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[T]])
module attributes {onnx.ir_version = 7 : i64, onnx.opset_imports = [#onnx.opset<"", 14>]} {
  func.func @old_opset_stays(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 13}> : (tensor<?x?x32xf32>) -> tensor<3xi64>
    %zero = onnx.Constant dense<0> : tensor<1xi64>
    %two = onnx.Constant dense<2> : tensor<1xi64>
    %t = onnx.Slice(%s, %zero, %two) <{since = 13}> : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %r = onnx.Custom(%t) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
