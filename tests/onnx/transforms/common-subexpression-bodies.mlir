// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Two equal operations with bodies are one, and so are two equal calls.

// CHECK-LABEL: @equal_branches
// CHECK: %[[Y:.*]] = onnx.If(
// CHECK-NOT: onnx.If(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_branches(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %k = onnx.Constant dense<2.0> : tensor<f32>
      %0 = onnx.Mul(%x, %k) <{since = 14}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Neg(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %b = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %unread = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %k = onnx.Constant dense<2.0> : tensor<f32>
      %0 = onnx.Mul(%x, %k) <{since = 14}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Neg(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_constant_in_a_branch_stays
// CHECK-COUNT-2: onnx.If(
func.func @another_constant_in_a_branch_stays(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %k = onnx.Constant dense<2.0> : tensor<f32>
      %0 = onnx.Mul(%x, %k) <{since = 14}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Neg(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %b = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %k = onnx.Constant dense<3.0> : tensor<f32>
      %0 = onnx.Mul(%x, %k) <{since = 14}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Neg(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What runtimes give of no iteration has the shape that the body states.

// CHECK-LABEL: @equal_loops
// CHECK: %[[Y:.*]]:2 = onnx.Loop(
// CHECK-NOT: onnx.Loop(
// CHECK: onnx.Custom(%[[Y]]#1, %[[Y]]#1)
func.func @equal_loops(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<1xf32> {
  %true = onnx.Constant dense<true> : tensor<i1>
  %a:2 = onnx.Loop(%n, %true, %x) <{since = 25}> : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>)
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<2xf32>) {
      %0 = onnx.Add(%s, %x) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %go, %0, %0 : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    }
  %b:2 = onnx.Loop(%n, %true, %x) <{since = 25}> : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<?x2xf32>)
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<2xf32>) {
      %0 = onnx.Add(%s, %x) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %go, %0, %0 : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    }
  %r = onnx.Custom(%a#1, %b#1) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_stated_shape_stays
// CHECK-COUNT-2: onnx.Loop(
func.func @another_stated_shape_stays(%n: tensor<i64>, %x: tensor<?xf32>) -> tensor<1xf32> {
  %true = onnx.Constant dense<true> : tensor<i1>
  %a:2 = onnx.Loop(%n, %true, %x) <{since = 25}> : (tensor<i64>, tensor<i1>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?x2xf32>)
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<?xf32>) {
      %0 = onnx.Add(%s, %x) <{since = 14}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<2xf32>
      onnx.Yield %go, %0, %0 : tensor<i1>, tensor<2xf32>, tensor<2xf32>
    }
  %b:2 = onnx.Loop(%n, %true, %x) <{since = 25}> : (tensor<i64>, tensor<i1>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>)
    with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<?xf32>) {
      %0 = onnx.Add(%s, %x) <{since = 14}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      onnx.Yield %go, %0, %0 : tensor<i1>, tensor<?xf32>, tensor<?xf32>
    }
  %r = onnx.Custom(%a#1, %b#1) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @main_graph
// CHECK: %[[Y:.*]] = onnx.Custom(%arg0) {{.*}}op_type = "F"
// CHECK-NOT: op_type = "F"
// CHECK: onnx.Sub(%[[Y]], %[[Y]])
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %a = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["a"], node = 0}> : (tensor<3xf32>) -> tensor<3xf32>
    %b = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["b"], node = 1}> : (tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Sub(%a, %b) <{since = 14, outputs = ["y"], node = 2}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.domain = "own", onnx.name = "F", onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %b = onnx.Tanh(%a) <{since = 13, outputs = ["b"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}

// -----

// CHECK-LABEL: @main_graph
// CHECK-COUNT-2: op_type = "F"
module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>, #onnx.opset<"own", 1>]} {
  func.func @main_graph(%x: tensor<3xf32>) -> tensor<3xf32> {
    %a = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["a"], node = 0}> : (tensor<3xf32>) -> tensor<3xf32>
    %b = onnx.Custom(%x) <{domain = "own", op_type = "F", since = 1, outputs = ["b"], node = 1}> : (tensor<3xf32>) -> tensor<3xf32>
    %y = onnx.Sub(%a, %b) <{since = 14, outputs = ["y"], node = 2}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
  func.func @"own::F"(%a: !onnx.unknown) -> !onnx.unknown
      attributes {onnx.domain = "own", onnx.name = "F", onnx.opset_imports = [#onnx.opset<"", 21>]} {
    %b = onnx.RandomNormalLike(%a) <{since = 22, outputs = ["b"], node = 0}> : (!onnx.unknown) -> !onnx.unknown
    return %b : !onnx.unknown
  }
}
