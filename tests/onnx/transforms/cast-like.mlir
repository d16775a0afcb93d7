// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// CastLike(x, y) = Cast(x, type of y)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @like_a_value_that_is_not_known
// CHECK: %[[Y:.*]] = onnx.Cast(%arg0) <{{.*}}> {to = 10 : i64}
// CHECK: onnx.Custom(%[[Y]])
// CHECK-NOT: onnx.CastLike
func.func @like_a_value_that_is_not_known(%x: tensor<?xf32>, %y: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.CastLike(%x, %y) <{since = 15}>
    : (tensor<?xf32>, tensor<?xf16>) -> tensor<?xf16>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// What a value of 8 bits does beyond its range stays as it was said.
// CHECK-LABEL: @saturate
// CHECK: onnx.Cast(%arg0) <{{.*}}> {saturate = 0 : i64, to = 17 : i64}
func.func @saturate(%x: tensor<?xf32>, %y: tensor<?xf8E4M3FN>) -> tensor<1xf32> {
  %a = onnx.CastLike(%x, %y) <{since = 19}> {saturate = 0 : i64}
    : (tensor<?xf32>, tensor<?xf8E4M3FN>) -> tensor<?xf8E4M3FN>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf8E4M3FN>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @of_its_own_type
// CHECK-NOT: onnx.Cast
// CHECK: onnx.Custom(%arg0)
func.func @of_its_own_type(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.CastLike(%x, %y) <{since = 15}>
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Like something of which nothing is known.
// CHECK-LABEL: @unknown
// CHECK: onnx.CastLike
func.func @unknown(%x: tensor<?xf32>, %y: !onnx.unknown) -> tensor<1xf32> {
  %a = onnx.CastLike(%x, %y) <{since = 15}>
    : (tensor<?xf32>, !onnx.unknown) -> !onnx.unknown
  %r = onnx.Custom(%a) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (!onnx.unknown) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
