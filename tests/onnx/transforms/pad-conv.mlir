// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// Conv(Pad(x, zeros), w, b) = Conv(x, w, b) with these pads
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @zeros
// CHECK-NOT: onnx.Pad(
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %arg1) {{.*}}pads = array<i64: 1, 2, 3, 4>
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @zeros
// EXACT: onnx.Pad(
func.func @zeros(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus_zeros
// CHECK-NOT: onnx.Pad(
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %arg1) {{.*}}pads = array<i64: 1, 2, 3, 4>
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @minus_zeros
// EXACT: onnx.Pad(
func.func @minus_zeros(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<-0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @more_zeros
// CHECK-NOT: onnx.Pad(
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %arg1) {{.*}}pads = array<i64: 2, 3, 3, 5>
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @more_zeros
// EXACT: onnx.Pad(
func.func @more_zeros(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}> {pads = array<i64: 1, 1, 0, 1>, strides = array<i64: 2, 2>}
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @valid
// CHECK-NOT: onnx.Pad(
// CHECK: %[[Y:.*]] = onnx.Conv(%arg0, %arg1) {{.*}}pads = array<i64: 1, 2, 3, 4>
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @valid
// EXACT: onnx.Pad(
func.func @valid(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}> {auto_pad = "VALID"}
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_stays
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @same_stays
// EXACT: onnx.Pad(
func.func @same_stays(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}> {auto_pad = "SAME_UPPER"}
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @ones_stay
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @ones_stay
// EXACT: onnx.Pad(
func.func @ones_stay(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<1.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @channels_stay
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @channels_stay
// EXACT: onnx.Pad(
func.func @channels_stay(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 1, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @batch_stays
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @batch_stays
// EXACT: onnx.Pad(
func.func @batch_stays(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 1, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cropped_stays
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @cropped_stays
// EXACT: onnx.Pad(
func.func @cropped_stays(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, -1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @reflected_stays
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @reflected_stays
// EXACT: onnx.Pad(
func.func @reflected_stays(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}> {mode = "reflect"}
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @somebody_else_reads_it_stays
// CHECK: %[[P:.*]] = onnx.Pad(
// CHECK: onnx.Conv(%[[P]], %arg1)
// EXACT-LABEL: @somebody_else_reads_it_stays
// EXACT: onnx.Pad(
func.func @somebody_else_reads_it_stays(%x: tensor<?x2x?x?xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 3, 4]> : tensor<8xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %q = onnx.Pad(%x, %p, %z) <{since = 25}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>, tensor<f32>) -> tensor<?x2x?x?xf32>
  %y = onnx.Conv(%q, %w) <{since = 22}>
    : (tensor<?x2x?x?xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x?x?xf32>
  %r = onnx.Custom(%y, %q) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3x?x?xf32>, tensor<?x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
