// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Both unknown dimensions are those of the input at their places.
// CHECK-LABEL: @heads
// CHECK: %[[S:.*]] = onnx.Constant dense<[0, 0, 4, 8]> : tensor<4xi64>
// CHECK: %[[Y:.*]] = onnx.Reshape(%{{.*}}, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @heads(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> {end = 2 : i64} : (tensor<?x?x32xf32>) -> tensor<2xi64>
    %rest = onnx.Constant dense<[4, 8]> : tensor<2xi64>
    %t = onnx.Concat(%s, %rest) <{since = 13}> {axis = 0 : i64} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x?x32xf32>, tensor<4xi64>) -> tensor<?x?x4x8xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?x4x8xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// One that is no copy is the rest: the other is 32, never 0.
// CHECK-LABEL: @rows
// CHECK: %[[S:.*]] = onnx.Constant dense<[-1, 32]> : tensor<2xi64>
// CHECK: onnx.Reshape(%{{.*}}, %[[S]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @rows(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> {end = 2 : i64} : (tensor<?x?x32xf32>) -> tensor<2xi64>
    %n = onnx.ReduceProd(%s) <{since = 18}> : (tensor<2xi64>) -> tensor<1xi64>
    %rest = onnx.Constant dense<32> : tensor<1xi64>
    %t = onnx.Concat(%n, %rest) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x?x32xf32>, tensor<2xi64>) -> tensor<?x32xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x32xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// Two that are no copies.
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

// -----

// Beside a copied dimension that may be 0 the rest would be refused where the
// computed shape is not.
// CHECK-LABEL: @rest_beside_a_copy_stays
// CHECK: %[[T:.*]] = onnx.Concat(
// CHECK: onnx.Reshape(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @rest_beside_a_copy_stays(%x: tensor<?x4x?x8xf32>) -> tensor<1xf32> {
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

// With allowzero a 0 is a size: it cannot be said beside a copy.
// CHECK-LABEL: @allowzero_stays
// CHECK: %[[T:.*]] = onnx.Concat(
// CHECK: onnx.Reshape(%{{.*}}, %[[T]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @allowzero_stays(%x: tensor<?x?x32xf32>) -> tensor<1xf32> {
    %s = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x?x32xf32>) -> tensor<1xi64>
    %rest = onnx.Constant dense<[0, 7]> : tensor<2xi64>
    %t = onnx.Concat(%s, %rest) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> {allowzero = 1 : i64} : (tensor<?x?x32xf32>, tensor<3xi64>) -> tensor<?x0x7xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x0x7xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
