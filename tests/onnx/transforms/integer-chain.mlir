// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// (x + c) + d = x + (c + d), ((x + c) + y) + d = (x + c) + (y + d) = (x + y) + (c + d), ((x + c) + y) + (z + d) = ((x + y) + z) + (c + d) for integers
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @sum
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<7>
// CHECK: %[[Y:.*]] = onnx.Add(%arg0, %[[C]])
// CHECK: onnx.Custom(%[[Y]])
func.func @sum(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %y = onnx.Add(%c2, %a) <{since = 14}>
    : (tensor<i64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 64 * 5 wraps around to 64, as it did before.
// CHECK-LABEL: @product_wraps
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<64>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @product_wraps(%x: tensor<?xi8>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<64> : tensor<i8>
  %c2 = onnx.Constant dense<5> : tensor<i8>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?xi8>, tensor<i8>) -> tensor<?xi8>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?xi8>, tensor<i8>) -> tensor<?xi8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @differences
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK: onnx.Add(%arg0, %[[C]])
func.func @differences(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Sub(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_between
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<-1>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg0, %arg1)
// CHECK: onnx.Add(%[[S]], %[[C]])
func.func @sum_between(%x: tensor<?xi64>, %z: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %b = onnx.Add(%a, %z) <{since = 14}>
    : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %y = onnx.Sub(%b, %c2) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @both_sides
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<12>
// CHECK-DAG: %[[S:.*]] = onnx.Mul(%arg0, %arg1)
// CHECK: onnx.Mul(%[[S]], %[[C]])
func.func @both_sides(%x: tensor<?xi64>, %z: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %b = onnx.Mul(%z, %c2) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %y = onnx.Mul(%a, %b) <{since = 14}>
    : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// It rounds.
// CHECK-LABEL: @quotients_stay
// CHECK: onnx.Div(
// CHECK: onnx.Mul(
func.func @quotients_stay(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nothing would go.
// CHECK-LABEL: @read_twice_stays
// CHECK: %[[A:.*]] = onnx.Add(%arg0
// CHECK: onnx.Add(%[[A]]
func.func @read_twice_stays(%x: tensor<?xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<i64>
  %c2 = onnx.Constant dense<4> : tensor<i64>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %b = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %y = onnx.Mul(%a, %b) <{since = 14}>
    : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A column and a row make a matrix.
// CHECK-LABEL: @constant_would_grow
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @constant_would_grow(%x: tensor<2x3xi64>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3> : tensor<2x1xi64>
  %c2 = onnx.Constant dense<4> : tensor<1x3xi64>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<2x3xi64>, tensor<2x1xi64>) -> tensor<2x3xi64>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<2x3xi64>, tensor<1x3xi64>) -> tensor<2x3xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x3xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// They round.
// CHECK-LABEL: @floats_stay
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @floats_stay(%x: tensor<?xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3.0> : tensor<f32>
  %c2 = onnx.Constant dense<4.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @chains_that_meet
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[10, 12, 14]>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg0, %arg1)
// CHECK-DAG: %[[T:.*]] = onnx.Add(%[[S]], %arg2)
// CHECK: onnx.Add(%[[T]], %[[C]])
func.func @chains_that_meet(%x: tensor<3xi32>, %y: tensor<3xi32>, %z: tensor<3xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[0, 1, 2]> : tensor<3xi32>
  %d = onnx.Constant dense<[10, 11, 12]> : tensor<3xi32>
  %a = onnx.Add(%c, %x) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %b = onnx.Add(%a, %y) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %e = onnx.Add(%d, %z) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %s = onnx.Add(%b, %e) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @products_that_meet
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<[0, 11, 24]>
// CHECK-DAG: %[[S:.*]] = onnx.Mul(%arg0, %arg1)
// CHECK-DAG: %[[T:.*]] = onnx.Mul(%[[S]], %arg2)
// CHECK: onnx.Mul(%[[T]], %[[C]])
func.func @products_that_meet(%x: tensor<3xi32>, %y: tensor<3xi32>, %z: tensor<3xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[0, 1, 2]> : tensor<3xi32>
  %d = onnx.Constant dense<[10, 11, 12]> : tensor<3xi32>
  %e = onnx.Mul(%d, %z) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %a = onnx.Mul(%c, %x) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %b = onnx.Mul(%y, %a) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %s = onnx.Mul(%e, %b) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The sum with a constant is read twice: its work would be done twice.
// CHECK-LABEL: @chains_with_other_readers_stay
// CHECK-COUNT-4: onnx.Add(
// CHECK: onnx.Custom(
func.func @chains_with_other_readers_stay(%x: tensor<3xi32>, %y: tensor<3xi32>, %z: tensor<3xi32>) -> tensor<1xf32> {
  %c = onnx.Constant dense<[0, 1, 2]> : tensor<3xi32>
  %d = onnx.Constant dense<[10, 11, 12]> : tensor<3xi32>
  %a = onnx.Add(%c, %x) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %b = onnx.Add(%a, %y) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %e = onnx.Add(%d, %z) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %s = onnx.Add(%b, %e) <{since = 14}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %r = onnx.Custom(%s, %e) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<3xi32>, tensor<3xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
