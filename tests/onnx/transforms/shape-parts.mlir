// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// token.expand(b, -1, -1) as PyTorch writes it: no size is -1 but those that
// were written so.
// CHECK-LABEL: @class_token
// CHECK: %[[B:.*]] = onnx.Shape(
// CHECK: %[[C:.*]] = onnx.Constant dense<1> : tensor<2xi64>
// CHECK: %[[T:.*]] = onnx.Concat(%[[B]], %[[C]])
// CHECK: onnx.Custom(%[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @class_token(%x: tensor<?x3xf32>) -> tensor<1xf32> {
    %b = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x3xf32>) -> tensor<1xi64>
    %minus = onnx.Constant dense<-1> : tensor<2xi64>
    %ones = onnx.Constant dense<1> : tensor<3xi64>
    %mask = onnx.Constant dense<[false, true, true]> : tensor<3xi1>
    %t = onnx.Concat(%b, %minus) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    %w = onnx.Where(%mask, %ones, %t) <{since = 16}> : (tensor<3xi1>, tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %r = onnx.Custom(%w) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<3xi64>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// A choice that depends on a dimension.
// CHECK-LABEL: @choice_stays
// CHECK: %[[T:.*]] = onnx.Where(
// CHECK: onnx.Custom(%[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @choice_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> : (tensor<?x?xf32>) -> tensor<2xi64>
    %ones = onnx.Constant dense<1> : tensor<2xi64>
    %two = onnx.Constant dense<2> : tensor<2xi64>
    %c = onnx.Equal(%s, %ones) <{since = 19}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %w = onnx.Where(%c, %two, %s) <{since = 16}> : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %r = onnx.Custom(%w) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
