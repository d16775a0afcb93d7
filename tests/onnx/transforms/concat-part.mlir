// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Slice(Concat(x, y), a part of y) = Slice(y), so with Gather
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @part_of_the_second
// CHECK-NOT: onnx.Concat(
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<3>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg1, %[[S]], %[[E]], 
// CHECK: onnx.Custom(%[[Y]])
func.func @part_of_the_second(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<3> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Whatever size it has.

// CHECK-LABEL: @part_of_the_last
// CHECK-NOT: onnx.Concat(
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<9223372036854775807>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg1, %[[S]], %[[E]], 
// CHECK: onnx.Custom(%[[Y]])
func.func @part_of_the_last(%x: tensor<?x2xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<3> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @steps
// CHECK-NOT: onnx.Concat(
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<0>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<3>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg1, %[[S]], %[[E]], 
// CHECK: onnx.Custom(%[[Y]])
func.func @steps(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<2> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %p = onnx.Constant dense<2> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a, %p) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @across_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Slice(%[[C]]
func.func @across_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<3> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @from_the_end_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Slice(%[[C]]
func.func @from_the_end_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<-2> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @somebody_else_reads_it_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Slice(%[[C]]
func.func @somebody_else_reads_it_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<3> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Slice(%c, %s, %e, %a) <{since = 13}>
    : (tensor<?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y, %c) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather
// CHECK-NOT: onnx.Concat(
// CHECK: %[[I:.*]] = onnx.Constant {{.*}}dense<[2, 0]>
// CHECK: %[[Y:.*]] = onnx.Gather(%arg1, %[[I]])
// CHECK: onnx.Custom(%[[Y]])
func.func @gather(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<[4, 2]> : tensor<2xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather_of_the_first
// CHECK-NOT: onnx.Concat(
// CHECK: %[[I:.*]] = onnx.Constant {{.*}}dense<[1, 0, 1]>
// CHECK: %[[Y:.*]] = onnx.Gather(%arg0, %[[I]])
// CHECK: onnx.Custom(%[[Y]])
func.func @gather_of_the_first(%x: tensor<?x2xf32>, %z: tensor<?x?xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<[1, 0, 1]> : tensor<3xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather_of_both_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Gather(%[[C]]
func.func @gather_of_both_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather_from_the_end_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Gather(%[[C]]
func.func @gather_from_the_end_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<-1> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather_along_another_axis_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Gather(%[[C]]
func.func @gather_along_another_axis_stays(%x: tensor<?x2xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = 0 : i64}
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @gather_behind_an_unknown_size_stays
// CHECK: %[[C:.*]] = onnx.Concat(
// CHECK: onnx.Gather(%[[C]]
func.func @gather_behind_an_unknown_size_stays(%x: tensor<?x?xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %i = onnx.Constant dense<0> : tensor<1xi64>
  %c = onnx.Concat(%x, %z) <{since = 13}> {axis = -1 : i64}
    : (tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %y = onnx.Gather(%c, %i) <{since = 13}> {axis = 1 : i64}
    : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
