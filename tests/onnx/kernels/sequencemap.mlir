// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @sequence_map_one
// CHECK-NEXT: onnx.Constant dense<[11, 12, 13, 14, 15]> : tensor<5xi64>
// CHECK-NEXT: return
func.func @sequence_map_one() -> tensor<5xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %k = onnx.Constant dense<10> : tensor<i64>
  %m = onnx.SequenceMap(%s) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>) {
    %y = onnx.Add(%x, %k) <{since = 14}> : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    onnx.Yield %y : tensor<?xi64>
  }
  %r = onnx.ConcatFromSequence(%m) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<5xi64>
  return %r : tensor<5xi64>
}

// -----

// Each run gets the whole tensor.
// CHECK-LABEL: @sequence_map_with_tensor
// CHECK-NEXT: onnx.Constant dense<[11, 12, 13, 14, 15]> : tensor<5xi64>
// CHECK-NEXT: return
func.func @sequence_map_with_tensor() -> tensor<5xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %k = onnx.Constant dense<10> : tensor<i64>
  %m = onnx.SequenceMap(%s, %k) <{since = 17}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>, %t: tensor<i64>) {
    %y = onnx.Add(%x, %t) <{since = 14}> : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    onnx.Yield %y : tensor<?xi64>
  }
  %r = onnx.ConcatFromSequence(%m) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<5xi64>
  return %r : tensor<5xi64>
}

// -----

// CHECK-LABEL: @sequence_map_two_sequences
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<[1, 2, 3, 4, 5, 3, 4, 5, 1, 2]> : tensor<10xi64>
// CHECK-DAG: %[[N:.*]] = onnx.Constant dense<2> : tensor<i64>
// CHECK: return %[[R]], %[[N]]
func.func @sequence_map_two_sequences() -> (tensor<10xi64>, tensor<i64>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %m:2 = onnx.SequenceMap(%s, %q) <{since = 17}> : (!onnx.seq<tensor<*xi64>>, !onnx.seq<tensor<*xi64>>) -> (!onnx.seq<tensor<*xi64>>, !onnx.seq<tensor<*xi64>>) with body(%x: tensor<?xi64>, %t: tensor<?xi64>) {
    %y = onnx.Concat(%x, %t) <{since = 13}> {axis = 0 : i64} : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
    onnx.Yield %y, %x : tensor<?xi64>, tensor<?xi64>
  }
  %r = onnx.ConcatFromSequence(%m#0) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<10xi64>
  %n = onnx.SequenceLength(%m#1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %r, %n : tensor<10xi64>, tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_map_of_nothing
// CHECK-NEXT: onnx.Constant dense<0> : tensor<i64>
// CHECK-NEXT: return
func.func @sequence_map_of_nothing() -> tensor<i64> {
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %m = onnx.SequenceMap(%e) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>) {
    onnx.Yield %x : tensor<?xi64>
  }
  %n = onnx.SequenceLength(%m) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_map_result_stays
// CHECK: onnx.SequenceMap(
func.func @sequence_map_result_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %k = onnx.Constant dense<10> : tensor<i64>
  // expected-remark @+1 {{onnx.SequenceMap not folded: no constant can hold its result; its users fold}}
  %m = onnx.SequenceMap(%s) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>) {
    %y = onnx.Add(%x, %k) <{since = 14}> : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    onnx.Yield %y : tensor<?xi64>
  }
  return %m : !onnx.seq<tensor<*xi64>>
}

// -----

// CHECK-LABEL: @sequence_map_lengths_stays
// CHECK: onnx.SequenceMap(
func.func @sequence_map_lengths_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %t = onnx.SequenceConstruct(%a) <{since = 11}> : (tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.SequenceMap not folded: input #1 has 1 tensors, expected 2}}
  %m = onnx.SequenceMap(%s, %t) <{since = 17}> : (!onnx.seq<tensor<*xi64>>, !onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>, %y: tensor<?xi64>) {
    onnx.Yield %y : tensor<?xi64>
  }
  %n = onnx.SequenceLength(%m) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_map_few_results_stays
// CHECK: onnx.SequenceMap(
func.func @sequence_map_few_results_stays() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.SequenceMap not folded: the body yields fewer values than there are results}}
  %m:2 = onnx.SequenceMap(%s) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> (!onnx.seq<tensor<*xi64>>, !onnx.seq<tensor<*xi64>>) with body(%x: tensor<?xi64>) {
    onnx.Yield %x : tensor<?xi64>
  }
  %n = onnx.SequenceLength(%m#1) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_map_input_stays
// CHECK: onnx.SequenceMap(
func.func @sequence_map_input_stays(%z: tensor<i64>) -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[3, 4, 5]> : tensor<3xi64>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %s = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<3xi64>) -> !onnx.seq<tensor<*xi64>>
  %q = onnx.SequenceConstruct(%b, %a) <{since = 11}> : (tensor<3xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
  %m = onnx.SequenceMap(%s) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>) {
    %y = onnx.Add(%x, %z) <{since = 14}> : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    onnx.Yield %y : tensor<?xi64>
  }
  %n = onnx.SequenceLength(%m) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @sequence_map_sequence_stays
// CHECK: onnx.SequenceMap(
func.func @sequence_map_sequence_stays(%s: !onnx.seq<tensor<*xi64>>) -> tensor<i64> {
  %m = onnx.SequenceMap(%s) <{since = 17}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%x: tensor<?xi64>) {
    onnx.Yield %x : tensor<?xi64>
  }
  %n = onnx.SequenceLength(%m) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}
