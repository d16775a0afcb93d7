// RUN: fold-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @too_few_inputs() {
  // expected-error @+1 {{'onnx.Abs' op has 0 inputs, expected 1}}
  %0 = onnx.Abs() <{since = 13}> : () -> tensor<2xf32>
  return
}

// -----

func.func @too_many_inputs(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Clip' op has 4 inputs, expected 1 to 3}}
  %0 = onnx.Clip(%x, %x, %x, %x) <{since = 13}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @too_few_variadic_inputs() {
  // expected-error @+1 {{'onnx.Concat' op has 0 inputs, expected at least 1}}
  %0 = onnx.Concat() <{since = 13}> {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @too_many_outputs(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Abs' op has 2 outputs, expected 1}}
  %0:2 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @absent_input(%x: tensor<2xf32>) {
  %none = onnx.Absent
  // expected-error @+1 {{'onnx.Add' op input #1 ('B') is absent, expected a value}}
  %0 = onnx.Add(%x, %none) <{since = 14}> : (tensor<2xf32>, none) -> tensor<2xf32>
  return
}

// -----

func.func @unknown_version(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Abs' op has no version 7, expected one of 1, 6, 13}}
  %0 = onnx.Abs(%x) <{since = 7}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing_attribute(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Concat' op has no attribute 'axis', which is required}}
  %0 = onnx.Concat(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unknown_attribute(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Concat' op has an attribute 'axes', which is not one of Concat-13}}
  %0 = onnx.Concat(%x) <{since = 13}> {axes = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @attributes_that_pass(%x: tensor<2xf32>) {
  %0 = onnx.Concat(%x) <{since = 13}> {axis = 0 : i64, __internal = unit, other.mark = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @kind_of_attribute(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Concat' op attribute 'axis' is 0 : i32, expected INT}}
  %0 = onnx.Concat(%x) <{since = 13}> {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @kind_of_list(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Transpose' op attribute 'perm' is [0], expected INTS}}
  %0 = onnx.Transpose(%x) <{since = 13}> {perm = [0]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @kind_of_reference(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Transpose' op attribute 'perm' is #onnx.ref<"perm", 1>, expected INTS}}
  %0 = onnx.Transpose(%x) <{since = 13}> {perm = #onnx.ref<"perm", 1>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing_graph(%c: tensor<i1>) {
  // expected-error @+1 {{'onnx.If' op has no graph 'else_branch', which is required}}
  %0 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<i1> with then_branch() {
    onnx.Yield %c : tensor<i1>
  }
  return
}

// -----

func.func @unknown_graph(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Abs' op has a graph 'body', which is not one of Abs-13}}
  %0 = onnx.Abs(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32> with body() {
    onnx.Yield
  }
  return
}

// -----

func.func @graph_without_end(%c: tensor<i1>) {
  // expected-error @+1 {{'onnx.Custom' op graph 'g' does not end with onnx.Yield, expected its outputs there}}
  onnx.Custom(%c) <{domain = "d", op_type = "O"}> : (tensor<i1>) -> () with g() {
    "test.end"() : () -> ()
  }
  return
}

// -----

func.func @graph_of_two_blocks(%c: tensor<i1>) {
  // expected-error @+1 {{'onnx.Custom' op graph 'g' has 2 blocks, expected 1}}
  onnx.Custom(%c) <{domain = "d", op_type = "O"}> : (tensor<i1>) -> () with g {
    onnx.Yield
  ^other:
    onnx.Yield
  }
  return
}

// -----

func.func @graphs_without_names(%c: tensor<i1>) {
  // expected-error @+1 {{'onnx.Custom' op has 1 regions, expected 0, one for each name in 'graphs'}}
  "onnx.Custom"(%c) <{domain = "d", op_type = "O"}> ({
    "onnx.Yield"() : () -> ()
  }) : (tensor<i1>) -> ()
  return
}

// -----

func.func @too_many_names(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Abs' op has 2 output names, expected at most 1}}
  %0 = onnx.Abs(%x) <{since = 13, outputs = ["a", "b"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unknown_property(%x: tensor<2xf32>) {
  // expected-error @+1 {{property "version" is 13 : i64, expected since and node (i64), name (string), outputs and graphs (arrays of strings), annotations (dictionary)}}
  %0 = onnx.Abs(%x) <{version = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @kind_of_property(%x: tensor<2xf32>) {
  // expected-error @+1 {{property "outputs" is ["a", 1], expected}}
  %0 = onnx.Abs(%x) <{outputs = ["a", 1]}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_without_operator(%x: tensor<2xf32>) {
  // expected-error @+1 {{property "op_type" is missing}}
  %0 = onnx.Custom(%x) <{domain = "com.acme"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_only_property(%x: tensor<2xf32>) {
  // expected-error @+1 {{property "domain" is "", expected since and node}}
  %0 = "onnx.Abs"(%x) <{domain = "", since = 13 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant_of_another_type() {
  // expected-error @+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "onnx.Constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @unknown_operator() {
  // expected-error @+1 {{custom op 'onnx.NoSuchOperator' is unknown}}
  %0 = onnx.NoSuchOperator() : () -> tensor<2xf32>
  return
}

// -----

func.func @constant_whose_name_is_a_number() {
  // expected-error@+1 {{custom op 'onnx.Constant' property is 5 : i64, expected a string}}
  %0 = onnx.Constant dense<1.0> : tensor<2xf32> {output = 5}
  return
}

// -----

func.func @constant_whose_node_is_a_text() {
  // expected-error@+1 {{custom op 'onnx.Constant' property is "x", expected an i64}}
  %0 = onnx.Constant dense<1.0> : tensor<2xf32> {node = "x"}
  return
}
