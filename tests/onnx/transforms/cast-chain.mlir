// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Cast(Cast(x, wider), t) = Cast(x, t)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @f16_f32_f64
// CHECK-NOT: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @f16_f32_f64(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xf16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 13}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bool_i64_f32
// CHECK-NOT: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @bool_i64_f32(%x: tensor<?xi1>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 7 : i64}
    : (tensor<?xi1>) -> tensor<?xi64>
  %y = onnx.Cast(%a) <{since = 13}> {to = 1 : i64}
    : (tensor<?xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @i8_i32_i64
// CHECK-NOT: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @i8_i32_i64(%x: tensor<?xi8>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 6 : i64}
    : (tensor<?xi8>) -> tensor<?xi32>
  %y = onnx.Cast(%a) <{since = 13}> {to = 7 : i64}
    : (tensor<?xi32>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @f16_f32_i64
// CHECK-NOT: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @f16_f32_i64(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xf16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 13}> {to = 7 : i64}
    : (tensor<?xf32>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 1.1 is another number in between.
// CHECK-LABEL: @rounds_first
// CHECK: %[[A:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Cast(%[[A]])
func.func @rounds_first(%x: tensor<?xf64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xf64>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 13}> {to = 10 : i64}
    : (tensor<?xf32>) -> tensor<?xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @wraps_first
// CHECK: %[[A:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Cast(%[[A]])
func.func @wraps_first(%x: tensor<?xi64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 3 : i64}
    : (tensor<?xi64>) -> tensor<?xi8>
  %y = onnx.Cast(%a) <{since = 13}> {to = 6 : i64}
    : (tensor<?xi8>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 300 wraps as an integer, and is undefined as a double.
// CHECK-LABEL: @i32_f64_i8_stays
// CHECK: %[[A:.*]] = onnx.Cast(%arg0)
// CHECK: onnx.Cast(%[[A]])
func.func @i32_f64_i8_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 11 : i64}
    : (tensor<?xi32>) -> tensor<?xf64>
  %y = onnx.Cast(%a) <{since = 13}> {to = 3 : i64}
    : (tensor<?xf64>) -> tensor<?xi8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
