// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// Slice(Slice(x, some axes), other axes) = Slice(x, all of them)
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

// CHECK-LABEL: @same_axis_stays
// CHECK: %[[A:.*]] = onnx.Slice(%arg0
// CHECK: onnx.Slice(%[[A]]
func.func @same_axis_stays(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
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
