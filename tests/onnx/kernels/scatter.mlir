// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the examples of the text of ScatterElements, and by hand.

// CHECK-LABEL: @scatter_v11_negative_index
// CHECK: onnx.Constant dense<[1.000000e+00, 7.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @scatter_v11_negative_index() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  %z = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  %r = onnx.Scatter(%x, %y, %z) <{since = 11}> : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatter_v9_negative_index_stays
// CHECK: onnx.Scatter(
func.func @scatter_v9_negative_index_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  %z = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Scatter not folded: index [0] is -1, and this version has no negative ones}}
  %r = onnx.Scatter(%x, %y, %z) <{since = 9}> : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatter_out_of_range_stays
// CHECK: onnx.Scatter(
func.func @scatter_out_of_range_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %z = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Scatter not folded: index [0] is 2, the dimension is 2}}
  %r = onnx.Scatter(%x, %y, %z) <{since = 9}> : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatter_twice_stays
// CHECK: onnx.Scatter(
func.func @scatter_twice_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %z = onnx.Constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Scatter not folded: update [1] writes what an earlier one has written, and there is no reduction}}
  %r = onnx.Scatter(%x, %y, %z) <{since = 9}> : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
