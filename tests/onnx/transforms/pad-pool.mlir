// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// AveragePool(Pad(x, zeros)) = AveragePool(x) with these pads that counts them
// MaxPool(Pad(x, v)) = MaxPool(x) with these pads for v = -infinity, or 0 and x = Relu(y)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @average
// CHECK-NOT: onnx.Pad(
// CHECK: %[[Y:.*]] = onnx.AveragePool(%arg0) {{.*}}count_include_pad = 1 : i64{{.*}}pads = array<i64: 1, 2, 2, 1>
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @average
// EXACT: onnx.Pad(
func.func @average(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 2, 1]> : tensor<8xi64>
  %q = onnx.Pad(%x, %p) <{since = 21}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>) -> tensor<?x2x?x?xf32>
  %y = onnx.AveragePool(%q) <{since = 19}> {kernel_shape = array<i64: 3, 3>}
    : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @max_of_relu
// CHECK-NOT: onnx.Pad(
// CHECK: %[[R:.*]] = onnx.Relu(
// CHECK: onnx.MaxPool(%[[R]]) {{.*}}pads = array<i64: 1, 2, 2, 1>
func.func @max_of_relu(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 2, 1]> : tensor<8xi64>
  %z = onnx.Relu(%x) <{since = 14}> : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %q = onnx.Pad(%z, %p) <{since = 21}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>) -> tensor<?x2x?x?xf32>
  %y = onnx.MaxPool(%q) <{since = 12}> {kernel_shape = array<i64: 3, 3>}
    : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A padded zero is more than a maximum below zero.
// CHECK-LABEL: @max_of_any_stays
// CHECK: onnx.Pad(
// CHECK: onnx.MaxPool(
func.func @max_of_any_stays(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 2, 1]> : tensor<8xi64>
  %q = onnx.Pad(%x, %p) <{since = 21}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>) -> tensor<?x2x?x?xf32>
  %y = onnx.MaxPool(%q) <{since = 12}> {kernel_shape = array<i64: 3, 3>}
    : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A window of padding alone has no element.
// CHECK-LABEL: @small_kernel_stays
// CHECK: onnx.Pad(
// CHECK: onnx.AveragePool(
func.func @small_kernel_stays(%x: tensor<?x2x?x?xf32>) -> tensor<1xf32> {
  %p = onnx.Constant dense<[0, 0, 1, 2, 0, 0, 2, 1]> : tensor<8xi64>
  %q = onnx.Pad(%x, %p) <{since = 21}>
    : (tensor<?x2x?x?xf32>, tensor<8xi64>) -> tensor<?x2x?x?xf32>
  %y = onnx.AveragePool(%q) <{since = 19}> {kernel_shape = array<i64: 2, 3>}
    : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
