// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: Python slices of numpy arrays, but where the specification clamps differently.

// CHECK-LABEL: @slice_axes_unordered
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @slice_axes_unordered() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<3x4xf32>
  %y = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %z = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  %u = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %r = onnx.Slice(%x, %y, %z, %u) <{since = 13}> : (tensor<3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @slice_axes_absent
// CHECK: onnx.Constant dense<[0.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @slice_axes_absent() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<5> : tensor<1xi64>
  %u = onnx.Absent
  %v = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @slice_to_the_end
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @slice_to_the_end() -> tensor<4xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %z = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @slice_from_minimum
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @slice_from_minimum() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %z = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// INT64_MIN is to the beginning, whatever is added to it.
// CHECK-LABEL: @slice_reversed
// CHECK: onnx.Constant dense<[4.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @slice_reversed() -> tensor<5xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// CHECK-LABEL: @slice_reversed_from_maximum
// CHECK: onnx.Constant dense<[4.000000e+00, 2.000000e+00, 0.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @slice_reversed_from_maximum() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-2> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// An end of -1 is the last element, so nothing is left.
// CHECK-LABEL: @slice_reversed_to_minus_1
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @slice_reversed_to_minus_1() -> tensor<0xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  %z = onnx.Constant dense<-1> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @slice_step_minimum
// CHECK: onnx.Constant dense<4.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @slice_step_minimum() -> tensor<1xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<4> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_step_maximum
// CHECK: onnx.Constant dense<1.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @slice_step_maximum() -> tensor<1xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  %z = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_nothing
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @slice_nothing() -> tensor<0xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<3> : tensor<1xi64>
  %z = onnx.Constant dense<2> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @slice_beyond
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @slice_beyond() -> tensor<0xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<7> : tensor<1xi64>
  %z = onnx.Constant dense<9> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @slice_below
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @slice_below() -> tensor<0xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<-9> : tensor<1xi64>
  %z = onnx.Constant dense<-7> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// The start is clamped to the first element, unlike in Python.
// CHECK-LABEL: @slice_reversed_from_below
// CHECK: onnx.Constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @slice_reversed_from_below() -> tensor<1xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<-9> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @slice_empty_reversed
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @slice_empty_reversed() -> tensor<0xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<0xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @slice_no_axes
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @slice_no_axes() -> tensor<f32> {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %z = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<f32>, tensor<0xi64>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @slice_string
// CHECK: onnx.Constant dense<["c", "a"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @slice_string() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<["a", "b", "c"]> : tensor<3x!onnx.string>
  %y = onnx.Constant dense<-1> : tensor<1xi64>
  %z = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<-2> : tensor<1xi64>
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 10}> : (tensor<3x!onnx.string>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @slice_step_0_stays
// CHECK: onnx.Slice(
func.func @slice_step_0_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<5> : tensor<1xi64>
  %u = onnx.Constant dense<0> : tensor<1xi64>
  %v = onnx.Constant dense<0> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Slice not folded: steps are [0]}}
  %r = onnx.Slice(%x, %y, %z, %u, %v) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @slice_axis_twice_stays
// CHECK: onnx.Slice(
func.func @slice_axis_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<3x4xf32>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %z = onnx.Constant dense<1> : tensor<2xi64>
  %u = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Slice not folded: the axes are [0, -2], expected different ones of 2}}
  %r = onnx.Slice(%x, %y, %z, %u) <{since = 13}> : (tensor<3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @slice_axis_beyond_stays
// CHECK: onnx.Slice(
func.func @slice_axis_beyond_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<1> : tensor<1xi64>
  %u = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Slice not folded: the axes are [1], expected different ones of 1}}
  %r = onnx.Slice(%x, %y, %z, %u) <{since = 13}> : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @slice_more_starts_than_rank_stays
// CHECK: onnx.Slice(
func.func @slice_more_starts_than_rank_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<5xf32>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %z = onnx.Constant dense<1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Slice not folded: the axes are [0, 1], expected different ones of 1}}
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @slice_lengths_stays
// CHECK: onnx.Slice(
func.func @slice_lengths_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<3x4xf32>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %z = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Slice not folded: starts, ends, axes and steps have different lengths}}
  %r = onnx.Slice(%x, %y, %z) <{since = 13}> : (tensor<3x4xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @slice_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<1xi64>
// CHECK: return %[[R]]
func.func @slice_symbols(%x: tensor<?x3xf32>) -> tensor<1xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %b = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %r = onnx.Slice(%s, %b, %e) <{since = 13}> : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}
