// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.concatenate and numpy.stack.

// CHECK-LABEL: @concat_from_sequence_rows
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 2], [3, 4], [5, 6]{{\]}}> : tensor<3x2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_rows() -> tensor<3x2xi64> {
  %a = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %b = onnx.Constant dense<[[5, 6]]> : tensor<1x2xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2x2xi64>, tensor<1x2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<3x2xi64>
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_columns
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 2, 1, 2], [3, 4, 3, 4]{{\]}}> : tensor<2x4xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_columns() -> tensor<2x4xi64> {
  %a = onnx.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %s = onnx.SequenceConstruct(%a, %a) <{since = 11}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = -1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2x4xi64>
  return %r : tensor<2x4xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_new_axis_first
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 2], [3, 4]{{\]}}> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_new_axis_first() -> tensor<2x2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_new_axis_last
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 3], [2, 4]{{\]}}> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_new_axis_last() -> tensor<2x2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_new_axis_last_from_the_end
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 3], [2, 4]{{\]}}> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_new_axis_last_from_the_end() -> tensor<2x2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = -1 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_new_axis_first_from_the_end
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 2], [3, 4]{{\]}}> : tensor<2x2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_new_axis_first_from_the_end() -> tensor<2x2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = -2 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_rank_0
// CHECK-NEXT: onnx.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @concat_from_sequence_rank_0() -> tensor<2xi64> {
  %a = onnx.Constant dense<1> : tensor<i64>
  %b = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<i64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_strings
// CHECK-NEXT: onnx.Constant dense<["a", "b", "c"]> : tensor<3x!onnx.string>
// CHECK-NEXT: return
func.func @concat_from_sequence_strings() -> tensor<3x!onnx.string> {
  %a = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %b = onnx.Constant dense<["c"]> : tensor<1x!onnx.string>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2x!onnx.string>, tensor<1x!onnx.string>) -> !onnx.seq<tensor<*x!onnx.string>>
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*x!onnx.string>>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @concat_from_sequence_of_nothing_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_of_nothing_stays() -> tensor<*xi64> {
  // expected-remark @+1 {{onnx.SequenceEmpty not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: the sequence is empty}}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_shapes_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_shapes_stays() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<1xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<1xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: tensor #1 has shape [1, 1], expected that of tensor #0, [1, 2], but for axis 0}}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_ranks_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_ranks_stays() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<3> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: tensor #1 has shape [], expected that of tensor #0, [2], but for axis 0}}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// Rank 0 has no axis.
// CHECK-LABEL: @concat_from_sequence_scalars_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_scalars_stays() -> tensor<*xi64> {
  %a = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a) <{since = 11}> : (tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: }}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_axis_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_axis_stays() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: }}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 2 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_new_axis_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_new_axis_stays() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SequenceConstruct not folded: no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.ConcatFromSequence not folded: attribute 'new_axis' is 2}}
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64, new_axis = 2 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @concat_from_sequence_unknown_stays
// CHECK: onnx.ConcatFromSequence(
func.func @concat_from_sequence_unknown_stays(%s: !onnx.seq<tensor<*xi64>>) -> tensor<*xi64> {
  %r = onnx.ConcatFromSequence(%s) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}
