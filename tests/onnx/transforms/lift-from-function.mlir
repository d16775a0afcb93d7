// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up=disable=lift-from-function --split-input-file | FileCheck %s --check-prefix=OFF

// What folds in a function for all calls of it is a constant there, or what each of them passes

// Two constants: the input that the body reads now takes the place of the one
// that it was computed from.
// CHECK-LABEL: func.func @main_graph
// CHECK-DAG: %[[FIRST:.*]] = onnx.Constant dense<[-1.000000e+00, -2.000000e+00, -3.000000e+00]>
// CHECK-DAG: %[[SECOND:.*]] = onnx.Constant dense<[-4.000000e+00, -5.000000e+00, -6.000000e+00]>
// CHECK: %[[H:.*]] = onnx.Custom(%arg0, %[[FIRST]]) {{.*}}op_type = "F"
// CHECK: onnx.Custom(%[[H]], %[[SECOND]]) {{.*}}op_type = "F"
// CHECK-LABEL: func.func @"own::F"(%arg0: !onnx.unknown {onnx.name = "a"}, %arg1: !onnx.unknown {onnx.name = "n"})
// CHECK-NEXT: %[[SUM:.*]] = onnx.Add(%arg0, %arg1)
// CHECK-NEXT: return %[[SUM]]
// OFF-LABEL: func.func @"own::F"
// OFF: onnx.Neg
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %v = onnx.Constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
    %h = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["h"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Custom(%h, %v) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 1}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown {onnx.name = "a"}, %w: !onnx.unknown {onnx.name = "w"}) -> !onnx.unknown
      attributes {onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %n = onnx.Neg(%w) <{since = 13, outputs = ["n"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%a, %n) <{since = 14, outputs = ["b"], node = 1}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}

// -----

// The same small value for both: a constant in the body, and the input is erased.
// CHECK-LABEL: func.func @main_graph
// CHECK: %[[H:.*]] = onnx.Custom(%arg0) {{.*}}op_type = "F"
// CHECK: onnx.Custom(%[[H]]) {{.*}}op_type = "F"
// CHECK-LABEL: func.func @"own::F"(%arg0: !onnx.unknown {onnx.name = "a"}) ->
// CHECK-NEXT: %[[N:.*]] = onnx.Constant dense<-1.000000e+00> {{.*}}"n"
// CHECK-NEXT: onnx.Add(%arg0, %[[N]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<1.0> : tensor<f32>
    %h = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["h"], node = 0}>
      : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %y = onnx.Custom(%h, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 1}>
      : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown {onnx.name = "a"}, %w: !onnx.unknown {onnx.name = "w"}) -> !onnx.unknown
      attributes {onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %n = onnx.Neg(%w) <{since = 13, outputs = ["n"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%a, %n) <{since = 14, outputs = ["b"], node = 1}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}

// -----

// One of the calls passes what nobody knows. (Two nodes would be left of the
// other: it is not inlined.)
// CHECK-LABEL: func.func @main_graph
// CHECK-COUNT-2: op_type = "F"
// CHECK-LABEL: func.func @"own::F"(%arg0: !onnx.unknown {onnx.name = "a"}, %arg1: !onnx.unknown {onnx.name = "w"})
// CHECK-NEXT: %[[N:.*]] = onnx.Neg(%arg1)
// CHECK-NEXT: %[[B:.*]] = onnx.Add(%arg0, %[[N]])
// CHECK-NEXT: onnx.Abs(%[[B]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %w = onnx.Constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %h = onnx.Custom(%x, %w) <{domain = "own", op_type = "F", since = 1, outputs = ["h"], node = 0}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Custom(%h, %x) <{domain = "own", op_type = "F", since = 1, outputs = ["y"], node = 1}>
      : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown {onnx.name = "a"}, %w: !onnx.unknown {onnx.name = "w"}) -> !onnx.unknown
      attributes {onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %n = onnx.Neg(%w) <{since = 13, outputs = ["n"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    %b = onnx.Add(%a, %n) <{since = 14, outputs = ["b"], node = 1}> : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %c = onnx.Abs(%b) <{since = 13, outputs = ["c"], node = 2}> : (!onnx.unknown) -> !onnx.unknown
    return %c : !onnx.unknown
  }
}
