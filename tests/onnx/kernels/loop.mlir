// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// 100 + 0 + 1 + 2 + 3.
// CHECK-LABEL: @loop_counts
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<106> : tensor<i64>
// CHECK-NEXT: return %[[R]]
func.func @loop_counts() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_version_1
// CHECK-NEXT: onnx.Constant dense<106> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_version_1() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  %r = onnx.Loop(%m, %yes, %z) <{since = 1}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_scans
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}1, 2], [2, 4], [4, 8], [8, 16]{{\]}}> : tensor<4x2xi64>
// CHECK-NEXT: return
func.func @loop_scans() -> tensor<4x2xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %r:2 = onnx.Loop(%m, %yes, %a) <{since = 25}> : (tensor<i64>, tensor<i1>, tensor<2xi64>) -> (tensor<2xi64>, tensor<4x2xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<2xi64>) {
    %n = onnx.Add(%s, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %go, %n, %s : tensor<i1>, tensor<2xi64>, tensor<2xi64>
  }
  return %r#1 : tensor<4x2xi64>
}

// -----

// CHECK-LABEL: @loop_both_kinds_of_results
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<[4, 8]> : tensor<2xi64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<{{\[\[}}2, 4], [4, 8]{{\]}}> : tensor<2x2xi64>
// CHECK-DAG: %[[R2:.*]] = onnx.Constant dense<[0, 1]> : tensor<2xi64>
// CHECK: return %[[R0]], %[[R1]], %[[R2]]
func.func @loop_both_kinds_of_results() -> (tensor<2xi64>, tensor<?x2xi64>, tensor<?xi64>) {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %two = onnx.Constant dense<2> : tensor<i64>
  %r:3 = onnx.Loop(%two, %yes, %a) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<2xi64>) -> (tensor<2xi64>, tensor<?x2xi64>, tensor<?xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<2xi64>) {
    %n = onnx.Add(%s, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %go, %n, %n, %i : tensor<i1>, tensor<2xi64>, tensor<2xi64>, tensor<i64>
  }
  return %r#0, %r#1, %r#2 : tensor<2xi64>, tensor<?x2xi64>, tensor<?xi64>
}

// -----

// No trip count: until the condition is false, which is known after an iteration.
// CHECK-LABEL: @loop_while
// CHECK: onnx.Constant dense<1024> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_while() -> tensor<i64> {
  %k = onnx.Constant dense<1000> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %none = onnx.Absent
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.Loop(%none, %yes, %one) <{since = 16}> : (none, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %s) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %again = onnx.Less(%n, %k) <{since = 13}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    onnx.Yield %again, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_condition_and_count
// CHECK-NEXT: onnx.Constant dense<8> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_condition_and_count() -> tensor<i64> {
  %k = onnx.Constant dense<1000> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %m = onnx.Constant dense<3> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.Loop(%m, %yes, %one) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %s) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %again = onnx.Less(%n, %k) <{since = 13}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    onnx.Yield %again, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_without_condition
// CHECK: onnx.Constant dense<106> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_without_condition() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %z = onnx.Constant dense<100> : tensor<i64>
  %none = onnx.Absent
  %r = onnx.Loop(%m, %none, %z) <{since = 16}> : (tensor<i64>, none, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// No iteration gives the initial values, and nothing.
// CHECK-LABEL: @loop_count_of_0
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<100> : tensor<i64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<> : tensor<0x2xi64>
// CHECK: return %[[R0]], %[[R1]]
func.func @loop_count_of_0() -> (tensor<i64>, tensor<?x2xi64>) {
  %m = onnx.Constant dense<0> : tensor<i64>
  %c = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %z = onnx.Constant dense<100> : tensor<i64>
  %r:2 = onnx.Loop(%m, %c, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> (tensor<i64>, tensor<?x2xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n, %a : tensor<i1>, tensor<i64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<i64>, tensor<?x2xi64>
}

// -----

// No iteration gives the initial values, and nothing.
// CHECK-LABEL: @loop_negative_count
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<100> : tensor<i64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<> : tensor<0x2xi64>
// CHECK: return %[[R0]], %[[R1]]
func.func @loop_negative_count() -> (tensor<i64>, tensor<?x2xi64>) {
  %m = onnx.Constant dense<-1> : tensor<i64>
  %c = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %z = onnx.Constant dense<100> : tensor<i64>
  %r:2 = onnx.Loop(%m, %c, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> (tensor<i64>, tensor<?x2xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n, %a : tensor<i1>, tensor<i64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<i64>, tensor<?x2xi64>
}

// -----

// No iteration gives the initial values, and nothing.
// CHECK-LABEL: @loop_false_condition
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<100> : tensor<i64>
// CHECK-DAG: %[[R1:.*]] = onnx.Constant dense<> : tensor<0x2xi64>
// CHECK: return %[[R0]], %[[R1]]
func.func @loop_false_condition() -> (tensor<i64>, tensor<?x2xi64>) {
  %m = onnx.Constant dense<4> : tensor<i64>
  %c = onnx.Constant dense<false> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %z = onnx.Constant dense<100> : tensor<i64>
  %r:2 = onnx.Loop(%m, %c, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> (tensor<i64>, tensor<?x2xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n, %a : tensor<i1>, tensor<i64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<i64>, tensor<?x2xi64>
}

// -----

// CHECK-LABEL: @loop_of_no_iteration_strings
// CHECK-NEXT: onnx.Constant dense<> : tensor<0x2x!onnx.string>
// CHECK-NEXT: return
func.func @loop_of_no_iteration_strings() -> tensor<?x2x!onnx.string> {
  %m = onnx.Constant dense<0> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<["x", "y"]> : tensor<2x!onnx.string>
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?x2x!onnx.string> with body(%i: tensor<i64>, %go: tensor<i1>) {
    onnx.Yield %go, %a : tensor<i1>, tensor<2x!onnx.string>
  }
  return %r : tensor<?x2x!onnx.string>
}

// -----

// Nothing says what the iterations would give.
// CHECK-LABEL: @loop_of_no_iteration_unknown_stays
// CHECK: onnx.Loop(
func.func @loop_of_no_iteration_unknown_stays(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<*xi64> {
  %m = onnx.Constant dense<0> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.Loop not folded: makes no iteration, and}}
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<*xi64> with body(%i: tensor<i64>, %go: tensor<i1>) {
    %v = onnx.Reshape(%x, %y) <{since = 14}> : (tensor<?xi64>, tensor<?xi64>) -> tensor<*xi64>
    onnx.Yield %go, %v : tensor<i1>, tensor<*xi64>
  }
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @loop_of_no_iteration_dimension_stays
// CHECK: onnx.Loop(
func.func @loop_of_no_iteration_dimension_stays(%x: tensor<?xi64>) -> tensor<?x?xi64> {
  %m = onnx.Constant dense<0> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.Loop not folded: makes no iteration, and of result #0 not all dimensions are known}}
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?x?xi64> with body(%i: tensor<i64>, %go: tensor<i1>) {
    onnx.Yield %go, %x : tensor<i1>, tensor<?xi64>
  }
  return %r : tensor<?x?xi64>
}

// -----

// A body may declare number and condition as vectors: it gets them so.
// CHECK-LABEL: @loop_number_as_vector
// CHECK-NEXT: onnx.Constant dense<[5, 6, 7, 8]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @loop_number_as_vector() -> tensor<?xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %t = onnx.Constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?xi64> with body(%i: tensor<1xi64>, %go: tensor<1xi1>) {
    %g = onnx.Gather(%t, %i) <{since = 13}> : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
    %q = onnx.ReduceSum(%g) <{since = 13}> {keepdims = 0 : i64} : (tensor<1xi64>) -> tensor<i64>
    onnx.Yield %go, %q : tensor<1xi1>, tensor<i64>
  }
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: @loop_number_as_vector_scans
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}0], [1], [2], [3]{{\]}}> : tensor<4x1xi64>
// CHECK-NEXT: return
func.func @loop_number_as_vector_scans() -> tensor<?x1xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?x1xi64> with body(%i: tensor<1xi64>, %go: tensor<1xi1>) {
    onnx.Yield %go, %i : tensor<1xi1>, tensor<1xi64>
  }
  return %r : tensor<?x1xi64>
}

// -----

// The inner one runs 0, 1, 2 and 3 times.
// CHECK-LABEL: @loop_nested
// CHECK-NEXT: onnx.Constant dense<106> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_nested() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %q = onnx.Loop(%i, %go, %s) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%j: tensor<i64>, %og: tensor<i1>, %u: tensor<i64>) {
    %w = onnx.Add(%u, %one) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %og, %w : tensor<i1>, tensor<i64>
    }
    onnx.Yield %go, %q : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_sequence_carried
// CHECK-NEXT: onnx.Constant dense<[0, 2, 4, 6]> : tensor<4xi64>
// CHECK-NEXT: return
func.func @loop_sequence_carried() -> tensor<4xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %l = onnx.Loop(%m, %yes, %e) <{since = 16}> : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.seq<tensor<*xi64>>) {
    %v = onnx.Add(%i, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = onnx.SequenceInsert(%s, %v) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %go, %n : tensor<i1>, !onnx.seq<tensor<*xi64>>
  }
  %r = onnx.ConcatFromSequence(%l) <{since = 11}> {axis = 0 : i64, new_axis = 1 : i64} : (!onnx.seq<tensor<*xi64>>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

// It is kept, but its body folds as that of any other loop.
// CHECK-LABEL: @loop_sequence_result_stays
// CHECK: onnx.Loop(
// CHECK: %[[V:.*]] = onnx.Constant dense<[2, 4]>
// CHECK-NEXT: onnx.SequenceInsert(%{{.*}}, %[[V]])
func.func @loop_sequence_result_stays() -> !onnx.seq<tensor<*xi64>> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // expected-remark @+1 {{no constant can hold its result; its users fold}}
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  // expected-remark @+1 {{onnx.Loop not folded: no constant can hold its result; its users fold}}
  %l = onnx.Loop(%m, %yes, %e) <{since = 16}> : (tensor<i64>, tensor<i1>, !onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>> with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.seq<tensor<*xi64>>) {
    %v = onnx.Add(%a, %a) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %n = onnx.SequenceInsert(%s, %v) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %go, %n : tensor<i1>, !onnx.seq<tensor<*xi64>>
  }
  return %l : !onnx.seq<tensor<*xi64>>
}

// -----

// Nothing, then [1, 2], doubled three times.
// CHECK-LABEL: @loop_optional_carried
// CHECK-NEXT: onnx.Constant dense<[8, 16]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @loop_optional_carried() -> tensor<2xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %e = onnx.Optional() <{since = 15}> {type = tensor<2xi64>} : () -> !onnx.optional<tensor<2xi64>>
  %l = onnx.Loop(%m, %yes, %e) <{since = 16}> : (tensor<i64>, tensor<i1>, !onnx.optional<tensor<2xi64>>) -> !onnx.optional<tensor<2xi64>> with body(%i: tensor<i64>, %go: tensor<i1>, %s: !onnx.optional<tensor<2xi64>>) {
    %has = onnx.OptionalHasElement(%s) <{since = 15}> : (!onnx.optional<tensor<2xi64>>) -> tensor<i1>
    %n = onnx.If(%has) <{since = 16}> : (tensor<i1>) -> !onnx.optional<tensor<2xi64>> with then_branch() {
      %old = onnx.OptionalGetElement(%s) <{since = 15}> : (!onnx.optional<tensor<2xi64>>) -> tensor<2xi64>
      %new = onnx.Add(%old, %old) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %o = onnx.Optional(%new) <{since = 15}> : (tensor<2xi64>) -> !onnx.optional<tensor<2xi64>>
      onnx.Yield %o : !onnx.optional<tensor<2xi64>>
  }, else_branch() {
      %p = onnx.Optional(%a) <{since = 15}> : (tensor<2xi64>) -> !onnx.optional<tensor<2xi64>>
      onnx.Yield %p : !onnx.optional<tensor<2xi64>>
  }
    onnx.Yield %go, %n : tensor<i1>, !onnx.optional<tensor<2xi64>>
  }
  %r = onnx.OptionalGetElement(%l) <{since = 15}> : (!onnx.optional<tensor<2xi64>>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @loop_infinite_stays
// CHECK: onnx.Loop(
func.func @loop_infinite_stays() -> tensor<i64> {
  %z = onnx.Constant dense<100> : tensor<i64>
  %none = onnx.Absent
  // expected-remark @+1 {{onnx.Loop not folded: takes more iterations than 10000}}
  %r = onnx.Loop(%none, %none, %z) <{since = 16}> : (none, none, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_long_stays
// CHECK: onnx.Loop(
func.func @loop_long_stays() -> tensor<i64> {
  %m = onnx.Constant dense<10001> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: takes more iterations than 10000}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// A branch in the body is no iteration.
// CHECK-LABEL: @loop_just_not_too_long
// CHECK-NEXT: onnx.Constant dense<49995005> : tensor<i64>
// CHECK-NEXT: return
func.func @loop_just_not_too_long() -> tensor<i64> {
  %m = onnx.Constant dense<10000> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<5> : tensor<i64>
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.If(%go) <{since = 16}> : (tensor<i1>) -> tensor<i64> with then_branch() {
      %p = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
      onnx.Yield %p : tensor<i64>
  }, else_branch() {
      onnx.Yield %s : tensor<i64>
  }
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_count_stays
// CHECK: onnx.Loop(
// CHECK: %[[K:.*]] = onnx.Constant dense<2>
// CHECK-NEXT: onnx.Add(%{{.*}}, %[[K]])
func.func @loop_count_stays(%m: tensor<i64>) -> tensor<i64> {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  %one = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %k = onnx.Add(%one, %one) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %n = onnx.Add(%s, %k) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_two_counts_stays
// CHECK: onnx.Loop(
func.func @loop_two_counts_stays() -> tensor<i64> {
  %m = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: input #0 has shape [2], expected one element}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<2xi64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// Slices of a scan output must have one shape.
// CHECK-LABEL: @loop_shapes_of_scans_stays
// CHECK: onnx.Loop(
func.func @loop_shapes_of_scans_stays() -> tensor<*xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z1 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Loop not folded: iteration #1 has shape [1, 2], expected that of iteration #0, [1, 1], but for axis 0}}
  %r:2 = onnx.Loop(%m, %yes, %z1) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<1xi64>) -> (tensor<?xi64>, tensor<*xi64>) with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<?xi64>) {
    %n = onnx.Concat(%s, %z1) <{since = 13}> {axis = 0 : i64} : (tensor<?xi64>, tensor<1xi64>) -> tensor<?xi64>
    onnx.Yield %go, %n, %s : tensor<i1>, tensor<?xi64>, tensor<?xi64>
  }
  return %r#1 : tensor<*xi64>
}

// -----

// What is carried round grows, but the body declares one element, and what it
// computes from that (a shape) would be wrong.
// CHECK-LABEL: @loop_shape_of_argument_stays
// CHECK: onnx.Loop(
func.func @loop_shape_of_argument_stays() -> tensor<*xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z1 = onnx.Constant dense<[1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.Loop not folded: argument #2 of its body is i64[2], not what its type says}}
  %r = onnx.Loop(%m, %yes, %z1) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<1xi64>) -> tensor<*xi64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<1xi64>) {
    %n = onnx.Concat(%s, %z1) <{since = 13}> {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
    onnx.Yield %go, %n : tensor<i1>, tensor<?xi64>
  }
  return %r : tensor<*xi64>
}

// -----

// Kernels have been promised what the body declares.
// CHECK-LABEL: @loop_type_of_argument_stays
// CHECK: onnx.Loop(
func.func @loop_type_of_argument_stays() -> tensor<*xf32> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z1 = onnx.Constant dense<[1.0]> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Loop not folded: argument #2 of its body is f32[1], not what its type says}}
  %r = onnx.Loop(%m, %yes, %z1) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> tensor<*xf32> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<1xi64>) {
    %n = onnx.Add(%s, %s) <{since = 14}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    onnx.Yield %go, %n : tensor<i1>, tensor<1xi64>
  }
  return %r : tensor<*xf32>
}

// -----

// CHECK-LABEL: @loop_condition_is_no_bool_stays
// CHECK: onnx.Loop(
func.func @loop_condition_is_no_bool_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: the body's condition is not one bool}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %i, %n : tensor<i64>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_few_results_stays
// CHECK: onnx.Loop(
func.func @loop_few_results_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: the body yields fewer values than there are loop-carried ones}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    onnx.Yield %go : tensor<i1>
  }
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @loop_arguments_stays
// CHECK: onnx.Loop(
func.func @loop_arguments_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: its body does not take 3 arguments}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>) {
    onnx.Yield %go, %z : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// An operator without results is there for what it does.
// CHECK-LABEL: @loop_custom_effect_stays
// CHECK: onnx.Loop(
// CHECK: onnx.Custom(
func.func @loop_custom_effect_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: in its body, onnx.Custom: }}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    onnx.Custom(%i) <{domain = "com.acme", op_type = "Print", since = 1}> : (tensor<i64>) -> ()
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// By the number of the first iteration.
// CHECK-LABEL: @loop_zero_division_stays
// CHECK: onnx.Loop(
func.func @loop_zero_division_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<100> : tensor<i64>
  // expected-remark @+1 {{onnx.Loop not folded: in its body, onnx.Div: divisor}}
  %r = onnx.Loop(%m, %yes, %z) <{since = 16}> : (tensor<i64>, tensor<i1>, tensor<i64>) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Div(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}

// -----

// 800 MB an iteration, and nobody knows of how many: given up at the second.
// CHECK-LABEL: @loop_large_scan_stays
// CHECK: onnx.Loop(
func.func @loop_large_scan_stays() -> tensor<?x100000000xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %three = onnx.Constant dense<3> : tensor<i64>
  %w = onnx.Constant dense<1> : tensor<100000000xi64>
  // expected-remark @+1 {{onnx.Loop not folded: the result has shape [200000000], more than 1073741824 bytes}}
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?x100000000xi64> with body(%i: tensor<i64>, %go: tensor<i1>) {
    %less = onnx.Less(%i, %three) <{since = 13}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    onnx.Yield %less, %w : tensor<i1>, tensor<100000000xi64>
  }
  return %r : tensor<?x100000000xi64>
}

// -----

// The same of four: given up before the first.
// CHECK-LABEL: @loop_large_scan_of_known_length_stays
// CHECK: onnx.Loop(
func.func @loop_large_scan_of_known_length_stays() -> tensor<?x100000000xi64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %w = onnx.Constant dense<1> : tensor<100000000xi64>
  // expected-remark @+1 {{onnx.Loop not folded: the result has shape [4, 100000000], more than 1073741824 bytes}}
  %r = onnx.Loop(%m, %yes) <{since = 16}> : (tensor<i64>, tensor<i1>) -> tensor<?x100000000xi64> with body(%i: tensor<i64>, %go: tensor<i1>) {
    onnx.Yield %go, %w : tensor<i1>, tensor<100000000xi64>
  }
  return %r : tensor<?x100000000xi64>
}

// -----

// CHECK-LABEL: @loop_absent_state_stays
// CHECK: onnx.Loop(
func.func @loop_absent_state_stays() -> tensor<i64> {
  %m = onnx.Constant dense<4> : tensor<i64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %none = onnx.Absent
  // expected-remark @+1 {{onnx.Loop not folded: input #2 is missing}}
  %r = onnx.Loop(%m, %yes, %none) <{since = 16}> : (tensor<i64>, tensor<i1>, none) -> tensor<i64> with body(%i: tensor<i64>, %go: tensor<i1>, %s: tensor<i64>) {
    %n = onnx.Add(%s, %i) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %go, %n : tensor<i1>, tensor<i64>
  }
  return %r : tensor<i64>
}
