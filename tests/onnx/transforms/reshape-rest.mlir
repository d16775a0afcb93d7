// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=O1

// Where no dimension is 0 the rest is what is computed; else it is refused, so
// only from -O2 on.
// CHECK-LABEL: @rest_beside_a_copy
// CHECK: %[[T:.*]] = onnx.Constant dense<[0, -1, 32]> : tensor<3xi64>
// CHECK: onnx.Reshape(%{{.*}}, %[[T]])
// O1-LABEL: @rest_beside_a_copy
// O1: %[[T:.*]] = onnx.Concat(
// O1: onnx.Reshape(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @rest_beside_a_copy(%x: tensor<?x4x?x8xf32>) -> tensor<1xf32> {
    %b = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x4x?x8xf32>) -> tensor<1xi64>
    %n = onnx.Shape(%x) <{since = 21}> {start = 2 : i64, end = 3 : i64} : (tensor<?x4x?x8xf32>) -> tensor<1xi64>
    %rest = onnx.Constant dense<32> : tensor<1xi64>
    %t = onnx.Concat(%b, %n, %rest) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x4x?x8xf32>, tensor<3xi64>) -> tensor<?x?x32xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?x32xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// CHECK-LABEL: @two_unknown_stay
// CHECK: %[[T:.*]] = onnx.Concat(
// CHECK: onnx.Reshape(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @two_unknown_stay(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> {end = 2 : i64} : (tensor<?x?x32xf32>) -> tensor<2xi64>
    %rest = onnx.Constant dense<32> : tensor<1xi64>
    %t = onnx.Concat(%rest, %s) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x?x32xf32>, tensor<3xi64>) -> tensor<32x?x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<32x?x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
