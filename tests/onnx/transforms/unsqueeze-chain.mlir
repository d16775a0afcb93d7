// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Unsqueeze(Unsqueeze(x)), Squeeze(Squeeze(x)) and Squeeze(Unsqueeze(x)) = one Unsqueeze or Squeeze of x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @unsqueeze_unsqueeze
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @unsqueeze_unsqueeze(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %q = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x1x?xf32>
  %y = onnx.Unsqueeze(%a, %q) <{since = 13}>
    : (tensor<?x1x?xf32>, tensor<2xi64>) -> tensor<1x?x1x1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?x1x1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @from_the_end
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @from_the_end(%x: tensor<?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<-1> : tensor<1xi64>
  %q = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %y = onnx.Unsqueeze(%a, %q) <{since = 13}>
    : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<?x1x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Before version 13 axes are attributes.
// CHECK-LABEL: @axes_are_attributes
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0)
// CHECK-SAME: axes = array<i64: 1, 2, 3>
// CHECK: onnx.Custom(%[[Y]])
module attributes {onnx.ir_version = 7 : i64, onnx.opset_imports = [#onnx.opset<"", 11>]} {
func.func @axes_are_attributes(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Unsqueeze(%x) <{since = 11}> {axes = array<i64: 1>}
    : (tensor<?xf32>) -> tensor<?x1xf32>
  %y = onnx.Unsqueeze(%a) <{since = 11}> {axes = array<i64: 2, 3>}
    : (tensor<?x1xf32>) -> tensor<?x1x1x1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x1x1x1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
}

// -----

// CHECK-LABEL: @squeeze_squeeze
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, 3]>
// CHECK: %[[Y:.*]] = onnx.Squeeze(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @squeeze_squeeze(%x: tensor<?x1x?x1xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %q = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %p) <{since = 13}>
    : (tensor<?x1x?x1xf32>, tensor<1xi64>) -> tensor<?x?x1xf32>
  %y = onnx.Squeeze(%a, %q) <{since = 13}>
    : (tensor<?x?x1xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @less_is_squeezed
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<0>
// CHECK: %[[Y:.*]] = onnx.Unsqueeze(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @less_is_squeezed(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<1x?x1x?xf32>
  %y = onnx.Squeeze(%a, %q) <{since = 13}>
    : (tensor<1x?x1x?xf32>, tensor<1xi64>) -> tensor<1x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @more_is_squeezed
// CHECK: %[[S:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK: %[[Y:.*]] = onnx.Squeeze(%arg0, %[[S]])
// CHECK: onnx.Custom(%[[Y]])
func.func @more_is_squeezed(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %q = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<1x?x1xf32>
  %y = onnx.Squeeze(%a, %q) <{since = 13}>
    : (tensor<1x?x1xf32>, tensor<2xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// One dimension more, and another one less.
// CHECK-LABEL: @neither_stays
// CHECK: onnx.Unsqueeze(%arg0
// CHECK: onnx.Squeeze(
func.func @neither_stays(%x: tensor<?x1xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?x1xf32>, tensor<1xi64>) -> tensor<1x?x1xf32>
  %y = onnx.Squeeze(%a, %q) <{since = 13}>
    : (tensor<1x?x1xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A size of 2 at run time is refused.
// CHECK-LABEL: @squeeze_may_fail
// CHECK: onnx.Squeeze(%arg0
// CHECK: onnx.Unsqueeze(
func.func @squeeze_may_fail(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %q = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Squeeze(%x, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %y = onnx.Unsqueeze(%a, %q) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Runtimes refuse it.
// CHECK-LABEL: @axis_twice
// CHECK: onnx.Unsqueeze(
// CHECK: onnx.Unsqueeze(
func.func @axis_twice(%x: tensor<?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<0> : tensor<1xi64>
  %q = onnx.Constant dense<[1, -3]> : tensor<2xi64>
  %a = onnx.Unsqueeze(%x, %p) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>) -> tensor<1x?xf32>
  %y = onnx.Unsqueeze(%a, %q) <{since = 13}>
    : (tensor<1x?xf32>, tensor<2xi64>) -> tensor<?x?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
