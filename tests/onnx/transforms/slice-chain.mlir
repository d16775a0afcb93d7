// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Slice(Slice(x)) = Slice(x), of other axes, and of the same forwards, where bounds
// meet in one way for all sizes
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @two_axes
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, -3]>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<[5, 9223372036854775807]>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<[0, 2]>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]])
// CHECK: onnx.Custom(%[[Y]])
func.func @two_axes(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<-3> : tensor<1xi64>
  %e1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a1 = onnx.Constant dense<-1> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @steps
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<[2, 1]>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @steps(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<2> : tensor<1xi64>
  %s1 = onnx.Constant dense<0> : tensor<1xi64>
  %e1 = onnx.Constant dense<3> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Both bounds count from the start: whatever the size, the nearer one holds.

// CHECK-LABEL: @same_axis
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<3>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<1> : tensor<1xi64>
  %e1 = onnx.Constant dense<2> : tensor<1xi64>
  %a1 = onnx.Constant dense<-3> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_axis_steps
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<7>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<22>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<6>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis_steps(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<50> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<3> : tensor<1xi64>
  %s1 = onnx.Constant dense<2> : tensor<1xi64>
  %e1 = onnx.Constant dense<7> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_axis_inner_end_is_nearer
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<7>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<8>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<6>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis_inner_end_is_nearer(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<8> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<3> : tensor<1xi64>
  %s1 = onnx.Constant dense<2> : tensor<1xi64>
  %e1 = onnx.Constant dense<7> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_axis_to_the_end
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<5>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<9223372036854775807>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis_to_the_end(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<2> : tensor<1xi64>
  %e0 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a0 = onnx.Constant dense<2> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<3> : tensor<1xi64>
  %e1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a1 = onnx.Constant dense<2> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// x[2:-1][:-3:2]: both ends count from the end.

// CHECK-LABEL: @same_axis_from_the_end
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<-4>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis_from_the_end(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<2> : tensor<1xi64>
  %e0 = onnx.Constant dense<-1> : tensor<1xi64>
  %a0 = onnx.Constant dense<2> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<0> : tensor<1xi64>
  %e1 = onnx.Constant dense<-3> : tensor<1xi64>
  %a1 = onnx.Constant dense<2> : tensor<1xi64>
  %p1 = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @same_axis_largest_int32
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<-3>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]])
// CHECK: onnx.Custom(%[[Y]])
func.func @same_axis_largest_int32(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<2> : tensor<1xi64>
  %e0 = onnx.Constant dense<2147483647> : tensor<1xi64>
  %a0 = onnx.Constant dense<2> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<0> : tensor<1xi64>
  %e1 = onnx.Constant dense<-3> : tensor<1xi64>
  %a1 = onnx.Constant dense<2> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// x[1:5][:-1] is x[1:4] or, of three, x[1:2].

// CHECK-LABEL: @ends_of_both_kinds_stay
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @ends_of_both_kinds_stay(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<0> : tensor<1xi64>
  %e1 = onnx.Constant dense<-1> : tensor<1xi64>
  %a1 = onnx.Constant dense<0> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @ends_of_both_kinds_stay_too
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @ends_of_both_kinds_stay_too(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<-5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<0> : tensor<1xi64>
  %e1 = onnx.Constant dense<2> : tensor<1xi64>
  %a1 = onnx.Constant dense<0> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @last_of_some_stays
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @last_of_some_stays(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<0> : tensor<1xi64>
  %e0 = onnx.Constant dense<-2> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<-3> : tensor<1xi64>
  %e1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a1 = onnx.Constant dense<0> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @from_the_end_with_steps_stays
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @from_the_end_with_steps_stays(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<0> : tensor<1xi64>
  %e0 = onnx.Constant dense<-2> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<2> : tensor<1xi64>
  %s1 = onnx.Constant dense<1> : tensor<1xi64>
  %e1 = onnx.Constant dense<-1> : tensor<1xi64>
  %a1 = onnx.Constant dense<0> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Of a known size there is one way for all.

// CHECK-LABEL: @known_size
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<7>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<9>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]])
// CHECK: onnx.Custom(%[[Y]])
func.func @known_size(%x: tensor<2x10x3xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<-4> : tensor<1xi64>
  %e0 = onnx.Constant dense<-1> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<1> : tensor<1xi64>
  %s1 = onnx.Constant dense<-2> : tensor<1xi64>
  %e1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<2x10x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3x3xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<2x3x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @known_size_backwards
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<6>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<-3>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @known_size_backwards(%x: tensor<2x10x3xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<-1> : tensor<1xi64>
  %e0 = onnx.Constant dense<-11> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<-3> : tensor<1xi64>
  %s1 = onnx.Constant dense<1> : tensor<1xi64>
  %e1 = onnx.Constant dense<3> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<2x10x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4x3xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<2x4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// x[8:1:-2][::-1] = x[2:9:2]

// CHECK-LABEL: @known_size_twice_backwards
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<9>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @known_size_twice_backwards(%x: tensor<2x10x3xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<8> : tensor<1xi64>
  %e0 = onnx.Constant dense<1> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<-2> : tensor<1xi64>
  %s1 = onnx.Constant dense<-1> : tensor<1xi64>
  %e1 = onnx.Constant dense<-9> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<-1> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<2x10x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4x3xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<2x4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x4x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Before the first one is no index: -1 is the last.

// CHECK-LABEL: @known_size_to_the_first
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<-9223372036854775808>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {{.*}}dense<1>
// CHECK-DAG: %[[P:.*]] = onnx.Constant {{.*}}dense<-2>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]], %[[A]], %[[P]])
// CHECK: onnx.Custom(%[[Y]])
func.func @known_size_to_the_first(%x: tensor<2x10x3xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<7> : tensor<1xi64>
  %e0 = onnx.Constant dense<-11> : tensor<1xi64>
  %a0 = onnx.Constant dense<1> : tensor<1xi64>
  %p0 = onnx.Constant dense<-1> : tensor<1xi64>
  %s1 = onnx.Constant dense<5> : tensor<1xi64>
  %e1 = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %a1 = onnx.Constant dense<1> : tensor<1xi64>
  %p1 = onnx.Constant dense<2> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0, %p0) <{since = 13}>
    : (tensor<2x10x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8x3xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1, %p1) <{since = 13}>
    : (tensor<2x8x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<2x2x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// (Axes 0, 1 and 2 in this order are those that it takes without any.)

// CHECK-LABEL: @some_axes_in_common
// CHECK-DAG: %[[S:.*]] = onnx.Constant {{.*}}dense<[1, 3, 3]>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {{.*}}dense<[5, 5, 9]>
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %[[S]], %[[E]])
// CHECK: onnx.Custom(%[[Y]])
func.func @some_axes_in_common(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %e0 = onnx.Constant dense<[5, 6]> : tensor<2xi64>
  %a0 = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %s1 = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  %e1 = onnx.Constant dense<[3, 9]> : tensor<2xi64>
  %a1 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s1, %e1, %a1) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @somebody_else_reads_it_stays
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @somebody_else_reads_it_stays(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s0 = onnx.Constant dense<1> : tensor<1xi64>
  %e0 = onnx.Constant dense<5> : tensor<1xi64>
  %a0 = onnx.Constant dense<0> : tensor<1xi64>
  %a = onnx.Slice(%x, %s0, %e0, %a0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %y = onnx.Slice(%a, %s0, %e0, %a0) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%a, %y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
