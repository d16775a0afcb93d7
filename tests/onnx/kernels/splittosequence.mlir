// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy slices of [[1, 2, 3], [4, 5, 6]].

// CHECK-LABEL: @split_to_sequence_rows
// CHECK-NOT: onnx.S
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<{{\[\[}}1, 2, 3]{{\]}}> : tensor<1x3xi64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<{{\[\[}}4, 5, 6]{{\]}}> : tensor<1x3xi64>
// CHECK: return %[[R0]], %[[R1]]
func.func @split_to_sequence_rows() -> (tensor<1x3xi64>, tensor<1x3xi64>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<2x3xi64>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<1x3xi64>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<1x3xi64>
  return %r0, %r1 : tensor<1x3xi64>, tensor<1x3xi64>
}

// -----

// CHECK-LABEL: @split_to_sequence_without_the_axis
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<[1, 4]> : tensor<2xi64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<[2, 5]> : tensor<2xi64>
// CHECK-DAG: %[[R2:.*]] = onnx.Constant dense<[3, 6]> : tensor<2xi64>
// CHECK: return %[[R0]], %[[R1]], %[[R2]]
func.func @split_to_sequence_without_the_axis() -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %s = onnx.SplitToSequence(%x) <{since = 11}> {axis = -1 : i64, keepdims = 0 : i64} : (tensor<2x3xi64>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  %i2 = onnx.Constant dense<2> : tensor<i64>
  %r2 = onnx.SequenceAt(%s, %i2) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2xi64>
  return %r0, %r1, %r2 : tensor<2xi64>, tensor<2xi64>, tensor<2xi64>
}

// -----

// The last part is smaller.
// CHECK-LABEL: @split_to_sequence_by_a_number
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1, 2], [4, 5]{{\]}}>
// CHECK-DAG: onnx.Constant dense<{{\[\[}}3], [6]{{\]}}>
// CHECK-DAG: onnx.Constant dense<2> : tensor<i64>
func.func @split_to_sequence_by_a_number() -> (tensor<2x2xi64>, tensor<2x1xi64>, tensor<i64>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<2> : tensor<i64>
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x2xi64>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x1xi64>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %r0, %r1, %n : tensor<2x2xi64>, tensor<2x1xi64>, tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_by_a_large_number
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1, 2, 3], [4, 5, 6]{{\]}}>
// CHECK-DAG: onnx.Constant dense<1> : tensor<i64>
func.func @split_to_sequence_by_a_large_number() -> (tensor<2x3xi64>, tensor<i64>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<100> : tensor<i32>
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> : (tensor<2x3xi64>, tensor<i32>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x3xi64>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %r0, %n : tensor<2x3xi64>, tensor<i64>
}

// -----

// With sizes `keepdims` does not count.
// CHECK-LABEL: @split_to_sequence_by_sizes
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1], [4]{{\]}}> : tensor<2x1xi64>
// CHECK-DAG: onnx.Constant dense<> : tensor<2x0xi64>
// CHECK-DAG: onnx.Constant dense<{{\[\[}}2, 3], [5, 6]{{\]}}> : tensor<2x2xi64>
func.func @split_to_sequence_by_sizes() -> (tensor<2x1xi64>, tensor<2x0xi64>, tensor<2x2xi64>) {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<[1, 0, 2]> : tensor<3xi64>
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = -1 : i64, keepdims = 0 : i64} : (tensor<2x3xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %i0 = onnx.Constant dense<0> : tensor<i64>
  %r0 = onnx.SequenceAt(%s, %i0) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x1xi64>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x0xi64>
  %i2 = onnx.Constant dense<2> : tensor<i64>
  %r2 = onnx.SequenceAt(%s, %i2) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<2x2xi64>
  return %r0, %r1, %r2 : tensor<2x1xi64>, tensor<2x0xi64>, tensor<2x2xi64>
}

// -----

// CHECK-LABEL: @split_to_sequence_of_nothing
// CHECK-NEXT: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @split_to_sequence_of_nothing() -> tensor<i64> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<0x3xf32>) -> !onnx.seq<tensor<*xf32>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xf32>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_strings
// CHECK-NEXT: onnx.Constant dense<"b"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @split_to_sequence_strings() -> tensor<1x!onnx.string> {
  %x = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<2x!onnx.string>) -> !onnx.seq<tensor<*x!onnx.string>>
  %i1 = onnx.Constant dense<-1> : tensor<i64>
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*x!onnx.string>>, tensor<i64>) -> tensor<1x!onnx.string>
  return %r1 : tensor<1x!onnx.string>
}

// -----

// Version 24 has bfloat16, but no version of SequenceAt has.
// CHECK-LABEL: @split_to_sequence_bf16_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_bf16_stays() -> tensor<1xbf16> {
  %x = onnx.Constant dense<[1.0, 2.0]> : tensor<2xbf16>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: no constant can hold its result; its users fold}}
  %s = onnx.SplitToSequence(%x) <{since = 24}> : (tensor<2xbf16>) -> !onnx.seq<tensor<*xbf16>>
  %i1 = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceAt not folded: input #0 ('input_sequence') is !onnx.seq<tensor<*xbf16>>, expected one of}}
  %r1 = onnx.SequenceAt(%s, %i1) <{since = 11}> : (!onnx.seq<tensor<*xbf16>>, tensor<i64>) -> tensor<1xbf16>
  return %r1 : tensor<1xbf16>
}

// -----

// The limit was on the axis, not on the number of parts.
// CHECK-LABEL: @split_to_sequence_long_axis_in_two
// CHECK-NEXT: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @split_to_sequence_long_axis_in_two() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<50000xi64>
  %k = onnx.Constant dense<25000> : tensor<i64>
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> : (tensor<50000xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_many_parts_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_many_parts_stays() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<50000xi64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: takes 50000 iterations, more than 10000}}
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<50000xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_too_short_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_too_short_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<[1, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: axis 1 has size 3, split is [1, 1]}}
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_too_long_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_too_long_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<[1, 3]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: axis 1 has size 3, split is [1, 3]}}
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_negative_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_negative_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<[4, -1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: axis 1 has size 3, split is [4, -1]}}
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_by_zero_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_by_zero_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: split is 0}}
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_by_less_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_by_less_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %k = onnx.Constant dense<-1> : tensor<i64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: split is -1}}
  %s = onnx.SplitToSequence(%x, %k) <{since = 11}> {axis = 1 : i64} : (tensor<2x3xi64>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_rank_0_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_rank_0_stays() -> tensor<i64> {
  %x = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: attribute 'axis' is 0, the rank is 0}}
  %s = onnx.SplitToSequence(%x) <{since = 11}> : (tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @split_to_sequence_axis_stays
// CHECK: onnx.SplitToSequence(
func.func @split_to_sequence_axis_stays() -> tensor<i64> {
  %x = onnx.Constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  // expected-remark @+1 {{onnx.SplitToSequence not folded: }}
  %s = onnx.SplitToSequence(%x) <{since = 11}> {axis = 2 : i64} : (tensor<2x3xi64>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%s) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}
