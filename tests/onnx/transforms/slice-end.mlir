// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// The end is the size of the axis.
// CHECK-LABEL: @tail
// CHECK: %[[E:.*]] = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
// CHECK: onnx.Slice(%{{.*}}, %{{.*}}, %[[E]], %{{.*}})
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @tail(%x: tensor<2x?xf32>) -> tensor<1xf32> {
    %one = onnx.Constant dense<1> : tensor<1xi64>
    %n = onnx.Shape(%x) <{since = 21}> {start = 1 : i64} : (tensor<2x?xf32>) -> tensor<1xi64>
    %y = onnx.Slice(%x, %one, %n, %one) <{since = 13}> : (tensor<2x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// That of another axis need not be.
// CHECK-LABEL: @other_axis_stays
// CHECK: %[[E:.*]] = onnx.Shape(
// CHECK: onnx.Slice(%{{.*}}, %{{.*}}, %[[E]], %{{.*}})
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @other_axis_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
    %one = onnx.Constant dense<1> : tensor<1xi64>
    %n = onnx.Shape(%x) <{since = 21}> {end = 1 : i64} : (tensor<?x?xf32>) -> tensor<1xi64>
    %y = onnx.Slice(%x, %one, %n, %one) <{since = 13}> : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<?x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}

// -----

// Backwards the end is something else.
// CHECK-LABEL: @backwards_stays
// CHECK: %[[E:.*]] = onnx.Shape(
// CHECK: onnx.Slice(%{{.*}}, %{{.*}}, %[[E]], %{{.*}}, %{{.*}})
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  func.func @backwards_stays(%x: tensor<2x?xf32>) -> tensor<1xf32> {
    %one = onnx.Constant dense<1> : tensor<1xi64>
    %minus = onnx.Constant dense<-1> : tensor<1xi64>
    %n = onnx.Shape(%x) <{since = 21}> {start = 1 : i64} : (tensor<2x?xf32>) -> tensor<1xi64>
    %y = onnx.Slice(%x, %one, %n, %one, %minus) <{since = 13}> : (tensor<2x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x?xf32>
    %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2x?xf32>) -> tensor<1xf32>
    return %r : tensor<1xf32>
  }
}
