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

// -----

// The call in the body is read for its shape only, which folds whatever is
// passed: it does not keep the body from standing in the place of its call.
// CHECK-LABEL: @main_graph
// CHECK-NOT: op_type
// CHECK: %[[Y:.*]] = onnx.Add(%{{.*}}, %arg0)
// CHECK: return %[[Y]]
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %y = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::G"(%a: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.domain = "own", onnx.name = "G", onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %c = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %b = onnx.Add(%a, %c) <{since = 14, outputs = ["b"], node = 0}> : (!onnx.unknown, tensor<3xf32>) -> !onnx.unknown
    return %b : !onnx.unknown
  }
  func.func @"own::F"(%a: !onnx.unknown, %w: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.domain = "own", onnx.name = "F", onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
    %k = onnx.Constant dense<1.0> : tensor<f32>
    %g = onnx.Custom(%k) <{domain = "own", op_type = "G", since = 1, outputs = ["g"], node = 0}> : (tensor<f32>) -> !onnx.unknown
    %s = onnx.Shape(%g) <{since = 21, outputs = ["s"], node = 1}> : (!onnx.unknown) -> !onnx.unknown
    %n = onnx.Reshape(%w, %s) <{since = 21, outputs = ["n"], node = 2}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%n, %a) <{since = 14, outputs = ["b"], node = 3}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}
