// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// The only call of a function, with constants that fold in its body = its body

// CHECK-LABEL: @main_graph
// CHECK-NOT: op_type = "F"
// CHECK: %[[Y:.*]] = onnx.Add(%arg0, %{{.*}})
// CHECK: return %[[Y]]
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %y = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown, %w: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %n = onnx.Neg(%w) <{since = 13, outputs = ["n"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%a, %n) <{since = 14, outputs = ["b"], node = 1}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}

// -----

// Two calls share the body.
// CHECK-LABEL: @main_graph
// CHECK-COUNT-2: op_type = "F"
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %h = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["h"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Custom(%h, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 1}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown, %w: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %n = onnx.Neg(%w) <{since = 13, outputs = ["n"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%a, %n) <{since = 14, outputs = ["b"], node = 1}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}
