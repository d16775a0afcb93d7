// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.expand_dims.

// CHECK-LABEL: @unsqueeze_input_unordered
// CHECK{LITERAL}: onnx.Constant dense<[[[[0.000000e+00], [1.000000e+00], [2.000000e+00]], [[3.000000e+00], [4.000000e+00], [5.000000e+00]]]]> : tensor<1x2x3x1xf32>
// CHECK-NEXT: return
func.func @unsqueeze_input_unordered() -> tensor<1x2x3x1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[3, 0]> : tensor<2xi64>
  %r = onnx.Unsqueeze(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<1x2x3x1xf32>
  return %r : tensor<1x2x3x1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_rank_0
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @unsqueeze_rank_0() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %r = onnx.Unsqueeze(%x, %y) <{since = 21}> : (tensor<f32>, tensor<2xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_no_axes
// CHECK{LITERAL}: onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @unsqueeze_no_axes() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Unsqueeze(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_empty
// CHECK: onnx.Constant dense<> : tensor<0x1xf32>
// CHECK-NEXT: return
func.func @unsqueeze_empty() -> tensor<0x1xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %r = onnx.Unsqueeze(%x, %y) <{since = 13}> : (tensor<0xf32>, tensor<1xi64>) -> tensor<0x1xf32>
  return %r : tensor<0x1xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_beyond_stays
// CHECK: onnx.Unsqueeze(
func.func @unsqueeze_beyond_stays() -> tensor<?x?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Unsqueeze not folded: the axes are [3], expected different ones of 3}}
  %r = onnx.Unsqueeze(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// -4 is axis 0 of a result of rank 4.
// CHECK-LABEL: @unsqueeze_twice_stays
// CHECK: onnx.Unsqueeze(
func.func @unsqueeze_twice_stays() -> tensor<?x?x?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[0, -4]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Unsqueeze not folded: the axes are [0, -4], expected different ones of 4}}
  %r = onnx.Unsqueeze(%x, %y) <{since = 13}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// CHECK-LABEL: @unsqueeze_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @unsqueeze_symbols(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %a = onnx.Constant dense<[0]> : tensor<1xi64>
  %t = onnx.Unsqueeze(%s, %a) <{since = 13}> : (tensor<2xi64>, tensor<1xi64>) -> tensor<1x2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> {axis = 1 : i64} : (tensor<1x2xi64>, tensor<i64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
