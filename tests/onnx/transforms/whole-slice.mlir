// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Slice(x) of all elements in order = x; Split(x) into one part = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @slice_all
// CHECK: onnx.Custom(%arg0)
func.func @slice_all(%x: tensor<4x?xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e, %b) <{since = 13}>
    : (tensor<4x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_all_step_1
// CHECK: onnx.Custom(%arg0)
func.func @slice_all_step_1(%x: tensor<4xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<-4> : tensor<1xi64>
  %e = onnx.Constant dense<4> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e, %a, %p) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_all_of_one_large_step
// CHECK: onnx.Custom(%arg0)
func.func @slice_all_of_one_large_step(%x: tensor<1xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<3> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e, %a, %p) <{since = 11}>
    : (tensor<1xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_1
// CHECK: onnx.Custom(%arg0)
func.func @slice_1(%x: tensor<4xf32>) -> tensor<1xf32> {
  %y = onnx.Slice(%x) <{since = 1}> {starts = array<i64: 0>, ends = array<i64: 100>}
    : (tensor<4xf32>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @split_into_one
// CHECK: onnx.Custom(%arg0)
func.func @split_into_one(%x: tensor<4x2xf32>) -> tensor<1xf32> {
  %y = onnx.Split(%x) <{since = 18}> {num_outputs = 1 : i64}
    : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @split_13_into_one
// CHECK: onnx.Custom(%arg0)
func.func @split_13_into_one(%x: tensor<4x2xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<4> : tensor<1xi64>
  %y = onnx.Split(%x, %s) <{since = 13}>
    : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<4x2xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4x2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_reversed_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @slice_reversed_stays(%x: tensor<4xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %e = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<-1> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e, %a, %p) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_unknown_step_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @slice_unknown_step_stays(%x: tensor<4xf32>, %p: tensor<1xi64>) -> tensor<1xf32> {
  %b = onnx.Constant dense<0> : tensor<1xi64>
  %e = onnx.Constant dense<4> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e, %a, %p) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_part_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @slice_part_stays(%x: tensor<4xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<4> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_dynamic_part_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @slice_dynamic_part_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %b = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<9> : tensor<1xi64>
  %y = onnx.Slice(%x, %b, %e) <{since = 13}>
    : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_unknown_bounds_stays
// CHECK: %[[Y:.*]] = onnx.Slice(
// CHECK: onnx.Custom(%[[Y]])
func.func @slice_unknown_bounds_stays(%x: tensor<4xf32>, %b: tensor<1xi64>, %e: tensor<1xi64>) -> tensor<1xf32> {
  %y = onnx.Slice(%x, %b, %e) <{since = 13}>
    : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
