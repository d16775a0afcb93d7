// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Two equal nodes are one. onnx.Custom stands for what reads a value: results
// of functions keep theirs.

// CHECK-LABEL: @equal_nodes
// CHECK: %[[Y:.*]] = onnx.Exp(%arg0)
// CHECK-NOT: onnx.Exp
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_nodes(%x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Exp(%x) <{since = 13, name = "a", outputs = ["a"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Exp(%x) <{since = 13, name = "b", outputs = ["b"]}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @equal_chains
// CHECK: %[[E:.*]] = onnx.Exp(%arg0)
// CHECK: %[[Y:.*]] = onnx.Tanh(%[[E]])
// CHECK-NOT: onnx.{{Exp|Tanh}}
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_chains(%x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %c = onnx.Tanh(%a) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %d = onnx.Tanh(%b) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%c, %d) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Initializers of the same bytes are the same operand.

// CHECK-LABEL: @equal_constants
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK-NOT: onnx.Mul
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_constants(%x: tensor<2xf32>) -> tensor<1xf32> {
  %v = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %w = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %a = onnx.Mul(%x, %v) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Mul(%x, %w) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zeros_of_other_sign_stay
// CHECK: onnx.Max(
// CHECK: onnx.Max(
func.func @zeros_of_other_sign_stay(%x: tensor<2xf32>) -> tensor<1xf32> {
  %v = onnx.Constant dense<0.0> : tensor<f32>
  %w = onnx.Constant dense<-0.0> : tensor<f32>
  %a = onnx.Max(%x, %v) <{since = 13}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %b = onnx.Max(%x, %w) <{since = 13}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_order_stays
// CHECK: onnx.Sub(%arg0, %arg1)
// CHECK: onnx.Sub(%arg1, %arg0)
func.func @other_order_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Sub(%x, %z) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Sub(%z, %x) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_attribute_stays
// CHECK: onnx.Softmax(
// CHECK: onnx.Softmax(
func.func @other_attribute_stays(%x: tensor<2x2xf32>) -> tensor<1xf32> {
  %a = onnx.Softmax(%x) <{since = 13}> {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = onnx.Softmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Softmax 11 works on all dimensions from the axis on.

// CHECK-LABEL: @other_version_stays
// CHECK: onnx.Softmax(
// CHECK: onnx.Softmax(
func.func @other_version_stays(%x: tensor<2x2xf32>) -> tensor<1xf32> {
  %a = onnx.Softmax(%x) <{since = 11}> {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = onnx.Softmax(%x) <{since = 13}> {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nobody knows what operators of other domains do.

// CHECK-LABEL: @custom_stays
// CHECK-COUNT-2: op_type = "Swish"
func.func @custom_stays(%x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Custom(%x) <{domain = "com.acme", op_type = "Swish", since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Custom(%x) <{domain = "com.acme", op_type = "Swish", since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Also with the same seed: what a generator does with it is not specified.

// CHECK-LABEL: @random_stays
// CHECK-COUNT-2: onnx.RandomNormal(
// CHECK-COUNT-2: onnx.RandomUniformLike(
// CHECK-COUNT-2: onnx.Bernoulli(
// CHECK-COUNT-2: onnx.Multinomial(
func.func @random_stays(%x: tensor<2x2xf32>) -> tensor<1xf32> {
  %a = onnx.RandomNormal() <{since = 22}> {seed = 1.0 : f32, shape = array<i64: 2>} : () -> tensor<2xf32>
  %b = onnx.RandomNormal() <{since = 22}> {seed = 1.0 : f32, shape = array<i64: 2>} : () -> tensor<2xf32>
  %c = onnx.RandomUniformLike(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = onnx.RandomUniformLike(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = onnx.Bernoulli(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = onnx.Bernoulli(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = onnx.Multinomial(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x1xi32>
  %h = onnx.Multinomial(%x) <{since = 22}> : (tensor<2x2xf32>) -> tensor<2x1xi32>
  %r = onnx.Custom(%a, %b, %c, %d, %e, %f, %g, %h) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>,
       tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// In training Dropout is random as well, whether or not the mode is known.

// CHECK-LABEL: @dropout_in_training_stays
// CHECK-COUNT-4: onnx.Dropout(
func.func @dropout_in_training_stays(%x: tensor<2xf32>, %m: tensor<i1>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.5> : tensor<f32>
  %t = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Dropout(%x, %q, %t) <{since = 13}> {seed = 1 : i64} : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %b = onnx.Dropout(%x, %q, %t) <{since = 13}> {seed = 1 : i64} : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %c = onnx.Dropout(%x, %q, %m) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %d = onnx.Dropout(%x, %q, %m) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b, %c, %d) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_1_in_training_stays
// CHECK-COUNT-2: onnx.Dropout(
func.func @dropout_1_in_training_stays(%x: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Dropout(%x) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Dropout(%x) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What stands in a body may be random too.

// CHECK-LABEL: @random_in_bodies_stays
// CHECK-COUNT-2: onnx.If(
func.func @random_in_bodies_stays(%c: tensor<i1>) -> tensor<1xf32> {
  %a = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.RandomNormal() <{since = 22}> {shape = array<i64: 2>} : () -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.RandomNormal() <{since = 22}> {shape = array<i64: 2>} : () -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %b = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.RandomNormal() <{since = 22}> {shape = array<i64: 2>} : () -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.RandomNormal() <{since = 22}> {shape = array<i64: 2>} : () -> tensor<2xf32>
      onnx.Yield %0 : tensor<2xf32>
    }
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A node of a body may use an outer equal one; two branches do not see each
// other, and what is around them does not see into them.

// CHECK-LABEL: @bodies
// CHECK: %[[E:.*]] = onnx.Exp(%arg1)
// CHECK: onnx.If(
// CHECK-NOT: onnx.Exp
// CHECK: onnx.Neg(%[[E]])
// CHECK: onnx.Tanh(%arg1)
// CHECK: else_branch
// CHECK: onnx.Tanh(%arg1)
// CHECK: %[[T:.*]] = onnx.Tanh(%arg1)
// CHECK: onnx.Custom(%{{.*}}, %[[E]], %[[T]])
func.func @bodies(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<1xf32> {
  %e = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %a = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %0 = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %1 = onnx.Neg(%0) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %2 = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %3 = onnx.Mul(%1, %2) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %3 : tensor<2xf32>
    }, else_branch() {
      %0 = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %1 = onnx.Neg(%0) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %1 : tensor<2xf32>
    }
  %t = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %e, %t) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The mask of the second is read, and the first makes none.

// CHECK-LABEL: @fewer_results_stay
// CHECK-COUNT-2: onnx.MaxPool(
func.func @fewer_results_stay(%x: tensor<1x1x4xf32>) -> tensor<1xf32> {
  %a = onnx.MaxPool(%x) <{since = 12}> {kernel_shape = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  %b, %i = onnx.MaxPool(%x) <{since = 12}> {kernel_shape = array<i64: 2>}
    : (tensor<1x1x4xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xi64>)
  %r = onnx.Custom(%a, %b, %i) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Inputs that are not given are the same, whoever does not give them: a second
// run, which reads them from a file, merged the two.

// CHECK-LABEL: @without_the_same_input
// CHECK: %[[Y:.*]] = onnx.Clip(
// CHECK-NOT: onnx.Clip(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @without_the_same_input(%x: tensor<2xi32>) -> tensor<1xf32> {
  %n = onnx.Absent
  %m = onnx.Absent
  %c = onnx.Constant dense<7> : tensor<i32>
  %a = onnx.Clip(%x, %n, %c) <{since = 13}> : (tensor<2xi32>, none, tensor<i32>) -> tensor<2xi32>
  %b = onnx.Clip(%x, %m, %c) <{since = 13}> : (tensor<2xi32>, none, tensor<i32>) -> tensor<2xi32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi32>, tensor<2xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The results of functions have names of their own: the second is a copy, and
// what else reads it reads the first.

// CHECK-LABEL: @results
// CHECK: %[[A:.*]] = onnx.Exp(%arg0)
// CHECK: %[[B:.*]] = onnx.Identity(%[[A]])
// CHECK: %[[C:.*]] = onnx.Tanh(%[[A]])
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @results(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %c = onnx.Tanh(%b) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %a, %b, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// A copy would cost as much.

// CHECK-LABEL: @results_that_copy_stay
// CHECK-COUNT-2: onnx.Unsqueeze(
func.func @results_that_copy_stay(%x: tensor<2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %a = onnx.Unsqueeze(%x) <{since = 11}> {axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<1x2xf32>
  %b = onnx.Unsqueeze(%x) <{since = 11}> {axes = array<i64: 0>} : (tensor<2xf32>) -> tensor<1x2xf32>
  return %a, %b : tensor<1x2xf32>, tensor<1x2xf32>
}

// -----

// Two copies would be more nodes than one Split.

// CHECK-LABEL: @two_results_of_one_node_stay
// CHECK-COUNT-2: onnx.Split(
func.func @two_results_of_one_node_stay(%x: tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) {
  %a:2 = onnx.Split(%x) <{since = 11}> : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  %b:2 = onnx.Split(%x) <{since = 11}> : (tensor<2xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %a#0, %a#1, %b#0, %b#1 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// In the other order it is the same, -0 + 0 = 0 + -0 too, but for which NaN a NaN is.

// CHECK-LABEL: @sum_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Add(
// CHECK-NOT: onnx.Add(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @sum_of_the_other_order(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Add(%x, %z) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Add(%z, %x) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @mul_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK-NOT: onnx.Mul(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @mul_of_the_other_order(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Mul(%x, %z) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Mul(%z, %x) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Sum(
// CHECK-NOT: onnx.Sum(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @sum_of_the_other_order(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Sum(%x, %z) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Sum(%z, %x) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @equal_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Equal(
// CHECK-NOT: onnx.Equal(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_of_the_other_order(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Equal(%x, %z) <{since = 19}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %b = onnx.Equal(%z, %x) <{since = 19}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @and_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.And(
// CHECK-NOT: onnx.And(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @and_of_the_other_order(%x: tensor<2xi1>, %z: tensor<2xi1>) -> tensor<1xf32> {
  %a = onnx.And(%x, %z) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %b = onnx.And(%z, %x) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @or_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Or(
// CHECK-NOT: onnx.Or(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @or_of_the_other_order(%x: tensor<2xi1>, %z: tensor<2xi1>) -> tensor<1xf32> {
  %a = onnx.Or(%x, %z) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %b = onnx.Or(%z, %x) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @xor_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Xor(
// CHECK-NOT: onnx.Xor(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @xor_of_the_other_order(%x: tensor<2xi1>, %z: tensor<2xi1>) -> tensor<1xf32> {
  %a = onnx.Xor(%x, %z) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %b = onnx.Xor(%z, %x) <{since = 7}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwiseand_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.BitwiseAnd(
// CHECK-NOT: onnx.BitwiseAnd(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @bitwiseand_of_the_other_order(%x: tensor<2xi64>, %z: tensor<2xi64>) -> tensor<1xf32> {
  %a = onnx.BitwiseAnd(%x, %z) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.BitwiseAnd(%z, %x) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwiseor_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.BitwiseOr(
// CHECK-NOT: onnx.BitwiseOr(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @bitwiseor_of_the_other_order(%x: tensor<2xi64>, %z: tensor<2xi64>) -> tensor<1xf32> {
  %a = onnx.BitwiseOr(%x, %z) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.BitwiseOr(%z, %x) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitwisexor_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.BitwiseXor(
// CHECK-NOT: onnx.BitwiseXor(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @bitwisexor_of_the_other_order(%x: tensor<2xi64>, %z: tensor<2xi64>) -> tensor<1xf32> {
  %a = onnx.BitwiseXor(%x, %z) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.BitwiseXor(%z, %x) <{since = 18}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @max_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Max(
// CHECK-NOT: onnx.Max(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @max_of_the_other_order(%x: tensor<2xi64>, %z: tensor<2xi64>) -> tensor<1xf32> {
  %a = onnx.Max(%x, %z) <{since = 13}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.Max(%z, %x) <{since = 13}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @min_of_the_other_order
// CHECK: %[[Y:.*]] = onnx.Min(
// CHECK-NOT: onnx.Min(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @min_of_the_other_order(%x: tensor<2xi64>, %z: tensor<2xi64>) -> tensor<1xf32> {
  %a = onnx.Min(%x, %z) <{since = 13}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %b = onnx.Min(%z, %x) <{since = 13}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi64>, tensor<2xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of 0 and -0 runtimes give the one that comes first, or the one that comes last.

// CHECK-LABEL: @max_of_floats_stays
// CHECK-COUNT-2: onnx.Max(
func.func @max_of_floats_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Max(%x, %z) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Max(%z, %x) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @min_of_floats_stays
// CHECK-COUNT-2: onnx.Min(
func.func @min_of_floats_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Min(%x, %z) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Min(%z, %x) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// (x + z) + u and (u + z) + x are rounded in other places.

// CHECK-LABEL: @sum_of_three_stays
// CHECK-COUNT-2: onnx.Sum(
func.func @sum_of_three_stays(%x: tensor<2xf32>, %z: tensor<2xf32>, %u: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Sum(%x, %z, %u) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Sum(%u, %z, %x) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @less_stays
// CHECK-COUNT-2: onnx.Less(
func.func @less_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Less(%x, %z) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %b = onnx.Less(%z, %x) <{since = 13}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xi1>, tensor<2xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Before version 7 the second operand is broadcast, not the first.

// CHECK-LABEL: @legacy_broadcast_stays
// CHECK-COUNT-2: onnx.Add(
func.func @legacy_broadcast_stays(%x: tensor<2xf32>, %z: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Add(%x, %z) <{since = 6}> {broadcast = 1 : i64}
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Add(%z, %x) <{since = 6}> {broadcast = 1 : i64}
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @equal_constants_in_the_other_order
// CHECK: %[[Y:.*]] = onnx.Mul(
// CHECK-NOT: onnx.Mul(
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @equal_constants_in_the_other_order(%x: tensor<2xf32>) -> tensor<1xf32> {
  %v = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %w = onnx.Constant dense<[2.0, 3.0]> : tensor<2xf32>
  %a = onnx.Mul(%x, %v) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Mul(%w, %x) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_operand_in_common_stays
// CHECK-COUNT-3: onnx.Add(
func.func @one_operand_in_common_stays(%x: tensor<2xf32>, %z: tensor<2xf32>, %u: tensor<2xf32>) -> tensor<1xf32> {
  %a = onnx.Add(%x, %z) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = onnx.Add(%z, %u) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = onnx.Add(%x, %x) <{since = 14}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b, %c) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What stood in a graph that gave it under a stated type, and moved, is equal
// to what nobody says the type of: a second run would see none of both.

// CHECK-LABEL: @stated_types
// CHECK: %[[Y:.*]] = onnx.Exp(%arg0)
// CHECK-NOT: onnx.Exp
// CHECK: onnx.Custom(%[[Y]], %[[Y]])
func.func @stated_types(%x: !onnx.unknown) -> tensor<1xf32> {
  %a = onnx.Exp(%x) <{since = 13, name = "a", outputs = ["a"]}> : (!onnx.unknown) -> tensor<*xf32>
  %b = onnx.Exp(%x) <{since = 13, name = "b", outputs = ["b"]}> : (!onnx.unknown) -> !onnx.unknown
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<*xf32>, !onnx.unknown) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A random model that a second run changed: nobody reads %b until the equal
// node of the branch is erased, so no pattern had looked at it, and only the next
// run made one Slice of both.

// CHECK-LABEL: @equal_to_one_that_nobody_read
// CHECK: %[[Y:.*]] = onnx.Slice(%arg1,
// CHECK-NOT: onnx.Slice(
// CHECK: onnx.Neg(%[[Y]])
func.func @equal_to_one_that_nobody_read(%c: tensor<i1>, %x: tensor<?x3xf32>) -> tensor<?x?xf32> {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Slice(%x, %one, %two, %zero) <{since = 13}>
    : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %b = onnx.Slice(%a, %one, %two, %one) <{since = 13}>
    : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<?x?xf32>
    with then_branch() {
      %0 = onnx.Slice(%x, %one, %two, %zero) <{since = 13}>
        : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
      %1 = onnx.Slice(%0, %one, %two, %one) <{since = 13}>
        : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
      %2 = onnx.Neg(%1) <{since = 13}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
      onnx.Yield %2 : tensor<?x?xf32>
    }, else_branch() {
      %0 = onnx.Neg(%x) <{since = 13}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
      onnx.Yield %0 : tensor<?x3xf32>
    }
  return %r : tensor<?x?xf32>
}

// -----

// A node repeats one whose operands a clean-up has changed since: axes and
// steps that are the defaults.

// CHECK-LABEL: @repeats_what_was_edited
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{[^,]*}}, %{{[^,]*}})
// CHECK-NOT: onnx.Slice
// CHECK: onnx.Custom(%[[Y]], %[[Y]], %[[Y]])
func.func @repeats_what_was_edited(%x: tensor<?xf32>) -> tensor<1xf32> {
  %from = onnx.Constant dense<1> : tensor<1xi64>
  %to = onnx.Constant dense<3> : tensor<1xi64>
  %axes = onnx.Constant dense<0> : tensor<1xi64>
  %steps = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %from, %to, %axes, %steps) <{since = 13}> : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %b = onnx.Slice(%x, %from, %to, %axes, %steps) <{since = 13}> : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %c = onnx.Slice(%x, %from, %to, %axes, %steps) <{since = 13}> : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  %r = onnx.Custom(%a, %b, %c) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// More is stated of the second result: it is evaluated, and then merged.

// CHECK-LABEL: @more_is_stated_of_the_second
// CHECK: %[[Y:.*]] = onnx.Custom(%arg0)
// CHECK: %[[Z:.*]] = onnx.Neg(%[[Y]])
// CHECK-NOT: onnx.Neg
// CHECK: onnx.Custom(%[[Z]], %[[Z]])
func.func @more_is_stated_of_the_second(%x: tensor<2xf32>) -> tensor<1xf32> {
  %v = onnx.Custom(%x) <{domain = "t", node = 8, op_type = "Make", since = 1}> : (tensor<2xf32>) -> !onnx.unknown
  %a = onnx.Neg(%v) <{since = 13}> : (!onnx.unknown) -> !onnx.unknown
  %b = onnx.Neg(%v) <{since = 13}> : (!onnx.unknown) -> tensor<2xf32>
  %r = onnx.Custom(%a, %b) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.unknown, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// In a branch what repeats a node around it is that node; the other branch
// does not see what is in the first one.

// CHECK-LABEL: @branches_see_what_is_around_them
// CHECK: %[[Y:.*]] = onnx.Exp(%arg0)
// CHECK: onnx.If
// CHECK-NOT: onnx.Exp
// CHECK: onnx.Tanh(%arg0)
// CHECK: onnx.Tanh(%arg0)
func.func @branches_see_what_is_around_them(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<1xf32> {
  %a = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  %i = onnx.If(%c) <{since = 25}> : (tensor<i1>) -> tensor<2xf32>
    with then_branch() {
      %b = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %t = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %s = onnx.Add(%b, %t) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %s : tensor<2xf32>
    }, else_branch() {
      %b = onnx.Exp(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %t = onnx.Tanh(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
      %s = onnx.Sub(%b, %t) <{since = 14}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      onnx.Yield %s : tensor<2xf32>
    }
  %r = onnx.Custom(%a, %i) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
