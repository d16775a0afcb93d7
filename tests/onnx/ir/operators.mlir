// The text form of operators reads back as it was written, from the custom form, the generic
// form and bytecode.
// RUN: fold-opt %s -o %t.mlir && FileCheck %s < %t.mlir
// RUN: fold-opt %t.mlir | diff %t.mlir -
// RUN: fold-opt %s -mlir-print-op-generic | fold-opt | diff %t.mlir -
// RUN: fold-opt %s -emit-bytecode | fold-opt | diff %t.mlir -

// CHECK: module attributes {onnx.ir_version = 8 : i64, onnx.opset_imports = [#onnx.opset<"", 17>, #onnx.opset<"ai.onnx.ml", 3>]}
module attributes {onnx.ir_version = 8 : i64,
                   onnx.opset_imports = [#onnx.opset<"", 17>, #onnx.opset<"ai.onnx.ml", 3>]} {

// Without `since` it is the newest version.
// CHECK-LABEL: @since
func.func @since(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.Abs(%{{.*}}) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %0 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: onnx.Abs(%{{.*}}) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = onnx.Abs(%0) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Values have their names in the model, as far as MLIR can write them.
// CHECK-LABEL: @names
func.func @names(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %conv1.weight_T = onnx.Abs(%{{.*}}) <{since = 13, name = "node\22 1", outputs = ["conv1.weight_T"], node = 0}> :
  %0 = onnx.Abs(%x) <{outputs = ["conv1.weight_T"], name = "node\22 1", node = 0}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %_12 = onnx.Abs(%conv1.weight_T) <{since = 13, outputs = ["12"]}> :
  %1 = onnx.Abs(%0) <{outputs = ["12"]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: @attributes
func.func @attributes(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK: onnx.Conv(%{{.*}}, %{{.*}}) <{since = 11}> {auto_pad = "NOTSET", group = 1 : i64, pads = array<i64: 1, 1, 1, 1>} :
  %0 = onnx.Conv(%x, %w) <{since = 11}> {pads = array<i64: 1, 1, 1, 1>, group = 1 : i64, auto_pad = "NOTSET"}
    : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// Operators may have attributes with the names of our properties.
// CHECK-LABEL: @attributes_named_like_properties
func.func @attributes_named_like_properties(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.Custom(%{{.*}}) <{domain = "com.acme", op_type = "Swish", overload = "f32", since = 3, name = "n"}> {name = "attribute", "not an identifier" = array<f32: 5.000000e-01>, since = 8 : i64} :
  %0 = onnx.Custom(%x) <{domain = "com.acme", op_type = "Swish", overload = "f32", since = 3, name = "n"}>
    {name = "attribute", since = 8 : i64, "not an identifier" = array<f32: 0.5>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @inputs_and_outputs
func.func @inputs_and_outputs(%x: tensor<2xf32>) {
  // CHECK: %[[NONE:.*]] = onnx.Absent
  %none = onnx.Absent
  // CHECK: onnx.Clip(%{{.*}}, %[[NONE]], %[[NONE]]) <{since = 13}> : (tensor<2xf32>, none, none) -> tensor<2xf32>
  %0 = onnx.Clip(%x, %none, %none) : (tensor<2xf32>, none, none) -> tensor<2xf32>
  // CHECK: onnx.Constant dense<1> : tensor<2xi64> {node = 4 : i64, output = "k"}
  %k = onnx.Constant dense<1> : tensor<2xi64> {node = 4 : i64, output = "k"}
  // CHECK: onnx.Constant dense<2> : tensor<2xi64>{{$}}
  %plain = onnx.Constant dense<2> : tensor<2xi64>
  // CHECK: onnx.Constant dense<3> : tensor<2xi64> {more = 1 : i32, output = "l"}
  %l = onnx.Constant dense<3> : tensor<2xi64> {more = 1 : i32, output = "l"}
  // CHECK: %y:2 = onnx.Dropout(%{{.*}}) <{since = 13, outputs = ["y", ""]}> : (tensor<2xf32>) -> (tensor<2xf32>, none)
  %1:2 = onnx.Dropout(%x) <{since = 13, outputs = ["y", ""]}> : (tensor<2xf32>) -> (tensor<2xf32>, none)
  // CHECK: onnx.Custom() <{domain = "com.acme", op_type = "Effect", since = 0}> : () -> ()
  onnx.Custom() <{domain = "com.acme", op_type = "Effect"}> : () -> ()
  return
}

// CHECK-LABEL: @domains
func.func @domains(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: onnx.ml.Scaler(%{{.*}}) <{since = 1}> :
  %0 = onnx.ml.Scaler(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: onnx.training.Momentum(
  %1:2 = onnx.training.Momentum(%0, %0, %0, %0, %0)
    {alpha = 0.9 : f32, beta = 1.0 : f32, mode = "standard", norm_coefficient = 0.0 : f32}
    : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  return %1#0 : tensor<2x2xf32>
}

// CHECK-LABEL: @graphs
func.func @graphs(%c: tensor<i1>, %n: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: onnx.If(%{{.*}}) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with else_branch() {
  // CHECK-NEXT: onnx.Yield
  // CHECK-NEXT: }, then_branch() {
  // CHECK-NEXT: onnx.Abs
  %0 = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with else_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, then_branch {
    %1 = onnx.Abs(%x) : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %1 : tensor<2xf32>
  }
  // CHECK: onnx.Loop(%{{.*}}, %{{.*}}, %{{.*}}) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32> with body(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<2xf32>) {
  %2 = onnx.Loop(%n, %c, %0) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
    with body(%i: tensor<i64>, %cond: tensor<i1>, %v: tensor<2xf32>) {
      onnx.Yield %cond, %v : tensor<i1>, tensor<2xf32>
    }
  // The keyword `with` does not take the next operation for a graph.
  // CHECK: onnx.Custom(%{{.*}}) <{domain = "com.acme", op_type = "Switch", since = 1}> : (tensor<i1>) -> () with "cases[0]"() {
  // CHECK: }, "cases[1]"() {
  onnx.Custom(%c) <{domain = "com.acme", op_type = "Switch", since = 1}> : (tensor<i1>) -> () with "cases[0]"() {
    onnx.Yield
  }, "cases[1]"() {
    onnx.Yield
  }
  return %2 : tensor<2xf32>
}

// CHECK-LABEL: @"com.acme::Swish"
// CHECK-SAME: onnx.domain = "com.acme", onnx.name = "Swish"
func.func @"com.acme::Swish"(%x: tensor<*xf32>) -> tensor<*xf32>
    attributes {onnx.domain = "com.acme", onnx.name = "Swish"} {
  // CHECK: onnx.Elu(%{{.*}}) <{since = 6}> {alpha = #onnx.ref<"alpha", 1>} :
  %0 = onnx.Elu(%x) <{since = 6}> {alpha = #onnx.ref<"alpha", 1>} : (tensor<*xf32>) -> tensor<*xf32>
  // CHECK: onnx.Custom() <{domain = "", op_type = "Constant", since = 13}> {value = #onnx.ref<"value", 4>} :
  %1 = onnx.Custom() <{domain = "", op_type = "Constant", since = 13}> {value = #onnx.ref<"value", 4>} : () -> !onnx.unknown
  // CHECK: onnx.Custom() <{{.*}}> {sparse = #onnx.raw<11, "\0A\01a">} :
  %2 = onnx.Custom() <{domain = "com.acme", op_type = "S", since = 1}> {sparse = #onnx.raw<11, "\0A\01a">} : () -> !onnx.unknown
  return %0 : tensor<*xf32>
}

}
