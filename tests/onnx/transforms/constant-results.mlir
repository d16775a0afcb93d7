// RUN: fold-opt %s --onnx-clean-up=disable=constant-call --split-input-file | FileCheck %s

// A call gives a constant whatever it is passed that is not known: it folds,
// and so does what reads it. The other call is kept.

// CHECK-LABEL: @main_graph
// CHECK-DAG: %[[K:.*]] = onnx.Constant dense<[-1.000000e+00, -2.000000e+00, -3.000000e+00]>
// CHECK-DAG: %[[B:.*]] = onnx.Custom({{.*}}op_type = "F"
// CHECK-NOT: op_type = "F"
// CHECK: onnx.Add(%[[K]], %[[B]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %c = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %a = onnx.Custom(%x, %c) <{domain = "own", op_type = "F", since = 1, outputs = ["a"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %b = onnx.Custom(%x, %x) <{domain = "own", op_type = "F", since = 1, outputs = ["b"], node = 1}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Add(%a, %b) <{since = 14, outputs = ["y"], node = 2}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%u: !onnx.unknown, %d: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.domain = "own", onnx.name = "F", onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %s = onnx.Shape(%u) <{since = 21, outputs = ["s"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %n = onnx.Neg(%d) <{since = 13, outputs = ["n"], node = 1}> : (!onnx.unknown) -> !onnx.unknown
    %v = onnx.Reshape(%n, %s) <{since = 21, outputs = ["v"], node = 2}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %v : !onnx.unknown
  }
}

// -----

// What is random in the function would not run any more.

// CHECK-LABEL: @main_graph
// CHECK-COUNT-2: op_type = "F"
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %c = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %a, %p = onnx.Custom(%x, %c) <{domain = "own", op_type = "F", since = 1, outputs = ["a", "p"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    %b, %q = onnx.Custom(%x, %x) <{domain = "own", op_type = "F", since = 1, outputs = ["b", "q"], node = 1}>
      : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    %y = onnx.Sum(%a, %b, %q) <{since = 13, outputs = ["y"], node = 2}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%u: !onnx.unknown, %d: !onnx.unknown) -> (!onnx.unknown, !onnx.unknown)
      attributes {onnx.domain = "own", onnx.name = "F", onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %v = onnx.Neg(%d) <{since = 13, outputs = ["v"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %w = onnx.RandomNormalLike(%u) <{since = 22, outputs = ["w"], node = 1}> : (!onnx.unknown) -> !onnx.unknown
    return %v, %w : !onnx.unknown, !onnx.unknown
  }
}

// -----

// Of a function that is only declared nothing is known: this crashed.

// CHECK-LABEL: @main_graph
// CHECK-COUNT-3: op_type = "F"
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %c = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %a = onnx.Custom(%c) <{domain = "own", op_type = "F", since = 1, outputs = ["a"], node = 0}> : (tensor<3xf32>) -> tensor<3xf32>
    %b = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["b"], node = 1}> : (tensor<3xf32>) -> !onnx.unknown
    %d = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["d"], node = 2}> : (tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Sum(%a, %b, %d) <{since = 13, outputs = ["y"], node = 3}> : (tensor<3xf32>, !onnx.unknown, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func private @"own::F"(!onnx.unknown) -> !onnx.unknown
}
