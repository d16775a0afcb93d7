// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=O1

// Reshape(x, computed shape) = Flatten(x) if the two sizes are products of dimensions of x
// Where one of them is 0 a Reshape copies, or refuses a rest; so only from -O2 on.
// CHECK-LABEL: @last_beside_a_rest
// CHECK: %[[Y:.*]] = onnx.Flatten(%arg0) {{.*}}axis = 2 : i64
// CHECK: onnx.Custom(%[[Y]])
// O1-LABEL: @last_beside_a_rest
// O1: onnx.Reshape(
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @last_beside_a_rest(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
    %c = onnx.Shape(%x) <{since = 21}> {start = 2 : i64} : (tensor<?x?x?xf32>) -> tensor<1xi64>
    %rest = onnx.Constant dense<-1> : tensor<1xi64>
    %t = onnx.Concat(%rest, %c) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// The first dimension is not the last one.
// CHECK-LABEL: @another_size_stays
// CHECK: onnx.Reshape(
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @another_size_stays(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
    %c = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x?x?xf32>) -> tensor<1xi64>
    %rest = onnx.Constant dense<-1> : tensor<1xi64>
    %t = onnx.Concat(%rest, %c) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %y = onnx.Reshape(%x, %t) <{since = 21}> : (tensor<?x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
