// RUN: fold-opt %s --onnx-clean-up=disable=cast-like --split-input-file | FileCheck %s

// Cast(x, type of x) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @cast_f32_to_f32
// CHECK: onnx.Custom(%arg0)
func.func @cast_f32_to_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i64_to_i64
// CHECK: onnx.Custom(%arg0)
func.func @cast_i64_to_i64(%x: tensor<?xi64>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 6}> {to = 7 : i64}
    : (tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @castlike_f16
// CHECK: onnx.Custom(%arg0)
func.func @castlike_f16(%x: tensor<?xf16>, %z: tensor<4xf16>) -> tensor<1xf32> {
  %y = onnx.CastLike(%x, %z) <{since = 15}>
    : (tensor<?xf16>, tensor<4xf16>) -> tensor<?xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f32_to_f64_stays
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f32_to_f64_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 13}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui8_to_i8_stays
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_ui8_to_i8_stays(%x: tensor<?xui8>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 13}> {to = 3 : i64}
    : (tensor<?xui8>) -> tensor<?xi8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It may saturate: infinity becomes the largest number.
// CHECK-LABEL: @cast_f8_to_itself_stays
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f8_to_itself_stays(%x: tensor<?xf8E5M2>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 19}> {to = 19 : i64}
    : (tensor<?xf8E5M2>) -> tensor<?xf8E5M2>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf8E5M2>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f4_to_itself_stays
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f4_to_itself_stays(%x: tensor<?xf4E2M1FN>) -> tensor<1xf32> {
  %y = onnx.Cast(%x) <{since = 23}> {to = 23 : i64}
    : (tensor<?xf4E2M1FN>) -> tensor<?xf4E2M1FN>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf4E2M1FN>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @castlike_other_type_stays
// CHECK: %[[Y:.*]] = onnx.CastLike(
// CHECK: onnx.Custom(%[[Y]])
func.func @castlike_other_type_stays(%x: tensor<?xf16>, %z: tensor<4xf32>) -> tensor<1xf32> {
  %y = onnx.CastLike(%x, %z) <{since = 15}>
    : (tensor<?xf16>, tensor<4xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
