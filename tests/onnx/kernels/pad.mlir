// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.pad of the cropped tensor.

// CHECK-LABEL: @pad_value_absent
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @pad_value_absent() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %z = onnx.Absent
  %r = onnx.Pad(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<2xi64>, none) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Longer than the tensor: reflected again, as numpy has it.
// CHECK-LABEL: @pad_reflect_again
// CHECK: onnx.Constant dense<[2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @pad_reflect_again() -> tensor<12xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<[5, 4]> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 13}> {mode = "reflect"} : (tensor<3xf32>, tensor<2xi64>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @pad_reflect_one
// CHECK: onnx.Constant dense<5.000000e+00> : tensor<3xf32>
// CHECK-NEXT: return
func.func @pad_reflect_one() -> tensor<3xf32> {
  %x = onnx.Constant dense<5.000000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 13}> {mode = "reflect"} : (tensor<1xf32>, tensor<2xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @pad_wrap
// CHECK: onnx.Constant dense<[3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @pad_wrap() -> tensor<8xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %y = onnx.Constant dense<[1, 4]> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 19}> {mode = "wrap"} : (tensor<3xf32>, tensor<2xi64>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @pad_axes_unordered
// CHECK{LITERAL}: onnx.Constant dense<[[9.000000e+00, 0.000000e+00, 1.000000e+00], [9.000000e+00, 9.000000e+00, 9.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @pad_axes_unordered() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>
  %y = onnx.Constant dense<[1, 0, 0, 1]> : tensor<4xi64>
  %z = onnx.Constant dense<9.000000e+00> : tensor<f32>
  %u = onnx.Constant dense<[1, 0]> : tensor<2xi32>
  %r = onnx.Pad(%x, %y, %z, %u) <{since = 18}> : (tensor<1x2xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// B4.
// CHECK-LABEL: @pad_negative
// CHECK: onnx.Constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @pad_negative() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<[-1, 0]> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 11}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Cropped first.
// CHECK-LABEL: @pad_negative_reflect
// CHECK: onnx.Constant dense<[3.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<5xf32>
// CHECK-NEXT: return
func.func @pad_negative_reflect() -> tensor<5xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<[2, -1]> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 11}> {mode = "reflect"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// result[i] = x[i + 3]
// CHECK-LABEL: @pad_negative_beyond
// CHECK: onnx.Constant dense<9.000000e+00> : tensor<3xf32>
// CHECK-NEXT: return
func.func @pad_negative_beyond() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[-3, 4]> : tensor<2xi64>
  %z = onnx.Constant dense<9.000000e+00> : tensor<f32>
  %r = onnx.Pad(%x, %y, %z) <{since = 11}> : (tensor<2xf32>, tensor<2xi64>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @pad_negative_to_nothing
// CHECK: onnx.Constant dense<> : tensor<0xf32>
// CHECK-NEXT: return
func.func @pad_negative_to_nothing() -> tensor<0xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<-1> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 11}> {mode = "edge"} : (tensor<2xf32>, tensor<2xi64>) -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// CHECK-LABEL: @pad_nothing
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @pad_nothing() -> tensor<4xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 13}> {mode = "edge"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @pad_empty
// CHECK: onnx.Constant dense<9.000000e+00> : tensor<2xf32>
// CHECK-NEXT: return
func.func @pad_empty() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %z = onnx.Constant dense<9.000000e+00> : tensor<f32>
  %r = onnx.Pad(%x, %y, %z) <{since = 13}> : (tensor<0xf32>, tensor<2xi64>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @pad_rank_0
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @pad_rank_0() -> tensor<f32> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<f32>, tensor<0xi64>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @pad_string
// CHECK: onnx.Constant dense<["a", ""]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @pad_string() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  %y = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<1x!onnx.string>, tensor<2xi64>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @pad_crops_too_much_stays
// CHECK: onnx.Pad(
func.func @pad_crops_too_much_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<[-3, -2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: pads are [-3, -2], the input has shape [4]}}
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_edge_of_nothing_stays
// CHECK: onnx.Pad(
func.func @pad_edge_of_nothing_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: pads are [1, 0], the input has shape [0]}}
  %r = onnx.Pad(%x, %y) <{since = 13}> {mode = "edge"} : (tensor<0xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_edge_of_all_cropped_stays
// CHECK: onnx.Pad(
func.func @pad_edge_of_all_cropped_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[-2, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: pads are [-2, 1], the input has shape [2]}}
  %r = onnx.Pad(%x, %y) <{since = 13}> {mode = "edge"} : (tensor<2xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_minimum_stays
// CHECK: onnx.Pad(
func.func @pad_minimum_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: pads are [-9223372036854775808, 9223372036854775807], the input has shape [4]}}
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_count_stays
// CHECK: onnx.Pad(
func.func @pad_count_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Pad not folded: pads are [1], the input has shape [4]}}
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_axes_twice_stays
// CHECK: onnx.Pad(
func.func @pad_axes_twice_stays() -> tensor<?x?xf32> {
  %x = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Constant dense<[1, 1, 0, 0]> : tensor<4xi64>
  %z = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %u = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: the axes are [0, -2], expected different ones of 2}}
  %r = onnx.Pad(%x, %y, %z, %u) <{since = 18}> : (tensor<2x2xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// From version 19 on.
// CHECK-LABEL: @pad_wrap_18_stays
// CHECK: onnx.Pad(
func.func @pad_wrap_18_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: attribute 'mode' is 'wrap'}}
  %r = onnx.Pad(%x, %y) <{since = 18}> {mode = "wrap"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_value_of_two_stays
// CHECK: onnx.Pad(
func.func @pad_value_of_two_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %z = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Pad not folded: input #2 has shape [2], expected one element}}
  %r = onnx.Pad(%x, %y, %z) <{since = 13}> : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @pad_huge_stays
// CHECK: onnx.Pad(
func.func @pad_huge_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %y = onnx.Constant dense<[1099511627776, 0]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Pad not folded: the result has shape [1099511627780], more than 1073741824 bytes}}
  %r = onnx.Pad(%x, %y) <{since = 13}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// (0, d, 3) without the middle.
// CHECK-LABEL: @pad_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[0, 3]> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @pad_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %m = onnx.Pad(%s, %c) <{since = 13}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<3xi64>
  %i = onnx.Constant dense<[0, 2]> : tensor<2xi64>
  %r = onnx.Gather(%m, %i) <{since = 13}> : (tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
