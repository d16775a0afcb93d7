// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Dropout(x) = x in inference, or for a ratio of 0
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @dropout_13_no_mode
// CHECK: onnx.Custom(%arg0)
func.func @dropout_13_no_mode(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Dropout(%x) <{since = 13}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_13_inference
// CHECK: onnx.Custom(%arg0)
func.func @dropout_13_inference(%x: tensor<?xf32>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.5> : tensor<f32>
  %m = onnx.Constant dense<false> : tensor<i1>
  %y = onnx.Dropout(%x, %q, %m) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_7
// CHECK: onnx.Custom(%arg0)
func.func @dropout_7(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Dropout(%x) <{since = 7}> {ratio = 0.75 : f32}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_1_is_test
// CHECK: onnx.Custom(%arg0)
func.func @dropout_1_is_test(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Dropout(%x) <{since = 1}> {is_test = 1 : i64}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Before version 7 training is the default.
// CHECK-LABEL: @dropout_1_trains_stays
// CHECK: %[[Y:.*]] = onnx.Dropout(
// CHECK: onnx.Custom(%[[Y]])
func.func @dropout_1_trains_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Dropout(%x) <{since = 1}>
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_13_trains_stays
// CHECK: %[[Y:.*]] = onnx.Dropout(
// CHECK: onnx.Custom(%[[Y]])
func.func @dropout_13_trains_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.5> : tensor<f32>
  %m = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Dropout(%x, %q, %m) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// All elements are kept, times 1.
// CHECK-LABEL: @dropout_13_ratio_0_trains
// CHECK: onnx.Custom(%arg0)
func.func @dropout_13_ratio_0_trains(%x: tensor<?xf32>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.0> : tensor<f32>
  %m = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Dropout(%x, %q, %m) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_13_unknown_mode_stays
// CHECK: %[[Y:.*]] = onnx.Dropout(
// CHECK: onnx.Custom(%[[Y]])
func.func @dropout_13_unknown_mode_stays(%x: tensor<?xf32>, %m: tensor<i1>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.5> : tensor<f32>
  %y = onnx.Dropout(%x, %q, %m) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_12_ratio_0_unknown_mode
// CHECK: onnx.Custom(%arg0)
func.func @dropout_12_ratio_0_unknown_mode(%x: tensor<?xf32>, %m: tensor<i1>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.0> : tensor<f64>
  %y = onnx.Dropout(%x, %q, %m) <{since = 12}>
    : (tensor<?xf32>, tensor<f64>, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_1_ratio_0
// CHECK: onnx.Custom(%arg0)
func.func @dropout_1_ratio_0(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Dropout(%x) <{since = 1}> {ratio = 0.0 : f32}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Half is dropped if no ratio is given.
// CHECK-LABEL: @dropout_13_default_ratio_trains_stays
// CHECK: %[[Y:.*]] = onnx.Dropout(
// CHECK: onnx.Custom(%[[Y]])
func.func @dropout_13_default_ratio_trains_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %q = onnx.Absent
  %m = onnx.Constant dense<true> : tensor<i1>
  %y = onnx.Dropout(%x, %q, %m) <{since = 13}>
    : (tensor<?xf32>, none, tensor<i1>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_13_ratio_0_mask_is_read_stays
// CHECK: onnx.Dropout(
func.func @dropout_13_ratio_0_mask_is_read_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %q = onnx.Constant dense<0.0> : tensor<f32>
  %t = onnx.Constant dense<true> : tensor<i1>
  %y, %m = onnx.Dropout(%x, %q, %t) <{since = 13}>
    : (tensor<?xf32>, tensor<f32>, tensor<i1>) -> (tensor<?xf32>, tensor<?xi1>)
  %r = onnx.Custom(%y, %m) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @dropout_mask_is_read_stays
// CHECK: onnx.Dropout(
func.func @dropout_mask_is_read_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y, %m = onnx.Dropout(%x) <{since = 13}>
    : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>)
  %r = onnx.Custom(%y, %m) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>, tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
