// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.reshape of the shape that the specification infers.

// CHECK-LABEL: @reshape_rank_0
// CHECK: onnx.Constant dense<7.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @reshape_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<7.000000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Reshape(%x, %y) <{since = 13}> : (tensor<1xf32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @reshape_from_rank_0
// CHECK: onnx.Constant dense<7.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @reshape_from_rank_0() -> tensor<1x1xf32> {
  %x = onnx.Constant dense<7.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<[1, -1]> : tensor<2xi64>
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<f32>, tensor<2xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @reshape_zero_copies_zero
// CHECK: onnx.Constant dense<> : tensor<0x3x1xf32>
// CHECK-NEXT: return
func.func @reshape_zero_copies_zero() -> tensor<0x3x1xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[0, 3, 1]> : tensor<3xi64>
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<0x3xf32>, tensor<3xi64>) -> tensor<0x3x1xf32>
  return %r : tensor<0x3x1xf32>
}

// -----

// CHECK-LABEL: @reshape_allowzero
// CHECK: onnx.Constant dense<> : tensor<3x4x0xf32>
// CHECK-NEXT: return
func.func @reshape_allowzero() -> tensor<3x4x0xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[3, 4, 0]> : tensor<3xi64>
  %r = onnx.Reshape(%x, %y) <{since = 14}> {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<3xi64>) -> tensor<3x4x0xf32>
  return %r : tensor<3x4x0xf32>
}

// -----

// CHECK-LABEL: @reshape_infers_zero
// CHECK: onnx.Constant dense<> : tensor<3x0xf32>
// CHECK-NEXT: return
func.func @reshape_infers_zero() -> tensor<3x0xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[3, -1]> : tensor<2xi64>
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<3x0xf32>
  return %r : tensor<3x0xf32>
}

// -----

// B12: a tensor without elements whose dimensions are not in order.
// CHECK-LABEL: @reshape_f32_transposed_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @reshape_f32_transposed_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %t = onnx.Transpose(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %s = onnx.Constant dense<[2, 0]> : tensor<2xi64>
  %r = onnx.Reshape(%t, %s) <{since = 14}> {allowzero = 1 : i64} : (tensor<3x0xf32>, tensor<2xi64>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @reshape_f32_transposed
// CHECK: onnx.Constant dense<[0.000000e+00, 3.000000e+00, 1.000000e+00, 4.000000e+00, 2.000000e+00, 5.000000e+00]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @reshape_f32_transposed() -> tensor<6xf32> {
  %x = onnx.Constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %t = onnx.Transpose(%x) <{since = 13}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %s = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Reshape(%t, %s) <{since = 14}> : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// N2: 0 is a dimension of size 0 here, not a copy.
// CHECK-LABEL: @reshape_allowzero_of_elements_stays
// CHECK: onnx.Reshape(
func.func @reshape_allowzero_of_elements_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[0, 3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [0, 3], the input has [2, 3]}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> {allowzero = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_allowzero_and_inferred_stays
// CHECK: onnx.Reshape(
func.func @reshape_allowzero_and_inferred_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [0, -1], the input has [0, 3] and allowzero is 1, 0 and -1 do not go together}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Any number would do for -1.
// CHECK-LABEL: @reshape_zero_rest_stays
// CHECK: onnx.Reshape(
func.func @reshape_zero_rest_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %y = onnx.Constant dense<[0, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [0, -1], the input has [0, 3], -1 cannot be inferred}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_two_inferred_stays
// CHECK: onnx.Reshape(
func.func @reshape_two_inferred_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<-1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [-1, -1], the input has [2, 3], -1 cannot be inferred}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_not_divisible_stays
// CHECK: onnx.Reshape(
func.func @reshape_not_divisible_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[4, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [4, -1], the input has [2, 3], -1 cannot be inferred}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_zero_beyond_rank_stays
// CHECK: onnx.Reshape(
func.func @reshape_zero_beyond_rank_stays() -> tensor<?x?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[2, 3, 0]> : tensor<3xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [2, 3, 0], the input has [2, 3], there is no dimension #2}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_negative_stays
// CHECK: onnx.Reshape(
func.func @reshape_negative_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<[-2, -3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [-2, -3], the input has [2, 3]}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_other_size_stays
// CHECK: onnx.Reshape(
func.func @reshape_other_size_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<2> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [2, 2], the input has [2, 3]}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_overflow_stays
// CHECK: onnx.Reshape(
func.func @reshape_overflow_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Constant dense<4611686018427387904> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Reshape not folded: shape is [4611686018427387904, 4611686018427387904], the input has [2, 3]}}
  %r = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @reshape_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @reshape_symbols(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %h = onnx.Constant dense<[2, 1]> : tensor<2xi64>
  %t = onnx.Reshape(%s, %h) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2x1xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> : (tensor<2x1xi64>, tensor<i64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
