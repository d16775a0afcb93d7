// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand from the loop in the text.

// CHECK-LABEL: @tensorscatter_nothing_written
// CHECK{LITERAL}: onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x2x4xf32>
// CHECK-NEXT: return
func.func @tensorscatter_nothing_written() -> tensor<1x2x4xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]]> : tensor<1x2x4xf32>
  %y = onnx.Constant dense<> : tensor<1x2x0xf32>
  %z = onnx.Constant dense<4> : tensor<1xi64>
  %r = onnx.TensorScatter(%x, %y, %z) <{since = 24}> {axis = 2 : i64} : (tensor<1x2x4xf32>, tensor<1x2x0xf32>, tensor<1xi64>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_beyond_the_end_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_beyond_the_end_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[[[-1.000000e+00, -2.000000e+00]], [[-3.000000e+00, -4.000000e+00]]]> : tensor<2x1x2xf32>
  %z = onnx.Constant dense<[2, 3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.TensorScatter not folded: write index 3 and 1 more are not inside of 3}}
  %r = onnx.TensorScatter(%x, %y, %z) <{since = 24}> : (tensor<2x3x2xf32>, tensor<2x1x2xf32>, tensor<2xi64>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_before_the_beginning_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_before_the_beginning_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[[[-1.000000e+00, -2.000000e+00]], [[-3.000000e+00, -4.000000e+00]]]> : tensor<2x1x2xf32>
  %z = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.TensorScatter not folded: write index -1 and 1 more are not inside of 3}}
  %r = onnx.TensorScatter(%x, %y, %z) <{since = 24}> : (tensor<2x3x2xf32>, tensor<2x1x2xf32>, tensor<2xi64>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_batch_axis_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_batch_axis_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[[3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.TensorScatter not folded: attribute 'axis' is the batch dimension}}
  %r = onnx.TensorScatter(%x, %y) <{since = 24}> : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_update_longer_than_the_cache_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_update_longer_than_the_cache_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1x1x1xf32>
  %y = onnx.Constant dense<[[[1.000000e+00], [2.000000e+00]]]> : tensor<1x2x1xf32>
  // expected-remark @+1 {{onnx.TensorScatter not folded: the update has shape [1, 2, 1] and type f32, the cache [1, 1, 1] and f32}}
  %r = onnx.TensorScatter(%x, %y) <{since = 24}> : (tensor<1x1x1xf32>, tensor<1x2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_one_index_for_two_samples_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_one_index_for_two_samples_stays() -> tensor<*xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[[[-1.000000e+00, -2.000000e+00]], [[-3.000000e+00, -4.000000e+00]]]> : tensor<2x1x2xf32>
  %z = onnx.Constant dense<2> : tensor<1xi64>
  // expected-remark @+1 {{onnx.TensorScatter not folded: the write indices are i64[1], expected i64[2]}}
  %r = onnx.TensorScatter(%x, %y, %z) <{since = 24}> : (tensor<2x3x2xf32>, tensor<2x1x2xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @tensorscatter_unknown_mode_stays
// CHECK: onnx.TensorScatter(
func.func @tensorscatter_unknown_mode_stays() -> tensor<2x3x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00]], [[7.000000e+00, 8.000000e+00], [9.000000e+00, 1.000000e+01], [1.100000e+01, 1.200000e+01]]]> : tensor<2x3x2xf32>
  %y = onnx.Constant dense<[[[-1.000000e+00, -2.000000e+00]], [[-3.000000e+00, -4.000000e+00]]]> : tensor<2x1x2xf32>
  // expected-remark @+1 {{onnx.TensorScatter not folded: attribute 'mode' is 'spiral', expected 'linear' or 'circular'}}
  %r = onnx.TensorScatter(%x, %y) <{since = 24}> {mode = "spiral"} : (tensor<2x3x2xf32>, tensor<2x1x2xf32>) -> tensor<2x3x2xf32>
  return %r : tensor<2x3x2xf32>
}

// -----

// A list of one index for each sample of this batch ended the tool.
// CHECK-LABEL: @tensorscatter_more_samples_than_memory
// CHECK: onnx.Constant dense<> : tensor<1099511627776x0x1xf32>
// CHECK-NEXT: return
func.func @tensorscatter_more_samples_than_memory() -> tensor<1099511627776x0x1xf32> {
  %x = onnx.Constant dense<> : tensor<1099511627776x0x1xf32>
  %r = onnx.TensorScatter(%x, %x) <{since = 24}> : (tensor<1099511627776x0x1xf32>, tensor<1099511627776x0x1xf32>) -> tensor<1099511627776x0x1xf32>
  return %r : tensor<1099511627776x0x1xf32>
}
