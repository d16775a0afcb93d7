// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @if_true
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<[11, 22]> : tensor<2xi64>
// CHECK-NEXT: return %[[R]]
func.func @if_true() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @if_false
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<[10, 40]> : tensor<2xi64>
// CHECK-NEXT: return %[[R]]
func.func @if_false() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %no = onnx.Constant dense<false> : tensor<i1>
  %r = onnx.If(%no) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// One element, of any rank.
// CHECK-LABEL: @if_vector_condition
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<[11, 22]> : tensor<2xi64>
// CHECK-NEXT: return %[[R]]
func.func @if_vector_condition() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %c = onnx.Constant dense<true> : tensor<1x1xi1>
  %r = onnx.If(%c) <{since = 1}> : (tensor<1x1xi1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// A branch that only gives on what is outside; the other one has another shape.
// CHECK-LABEL: @if_shapes_of_branches
// CHECK-NEXT: onnx.Constant dense<5> : tensor<i64>
// CHECK-NEXT: return
func.func @if_shapes_of_branches() -> tensor<*xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %no = onnx.Constant dense<false> : tensor<i1>
  %k = onnx.Constant dense<5> : tensor<i64>
  %r = onnx.If(%no) <{since = 25}> : (tensor<i1>) -> tensor<*xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    onnx.Yield %k : tensor<i64>
  }
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @if_several_results
// CHECK-DAG: %[[R0:.*]] = onnx.Constant dense<[11, 22]>
// CHECK-DAG: %[[R2:.*]] = onnx.Constant dense<5>
// CHECK: return %[[R0]], %[[R2]]
func.func @if_several_results() -> (tensor<2xi64>, tensor<i64>) {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %k = onnx.Constant dense<5> : tensor<i64>
  %r:3 = onnx.If(%yes) <{since = 13}> : (tensor<i1>) -> (tensor<2xi64>, tensor<2xi64>, tensor<i64>) with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t, %a, %k : tensor<2xi64>, tensor<2xi64>, tensor<i64>
  }, else_branch() {
    onnx.Yield %a, %b, %k : tensor<2xi64>, tensor<2xi64>, tensor<i64>
  }
  return %r#0, %r#2 : tensor<2xi64>, tensor<i64>
}

// -----

// CHECK-LABEL: @if_nested
// CHECK-NEXT: onnx.Constant dense<[10, 40]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @if_nested() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %no = onnx.Constant dense<false> : tensor<i1>
  %r = onnx.If(%yes) <{since = 11}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
  %t = onnx.If(%no) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @if_string
// CHECK-NEXT: onnx.Constant dense<"s"> : tensor<!onnx.string>
// CHECK-NEXT: return
func.func @if_string() -> tensor<!onnx.string> {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %s = onnx.Constant dense<"s"> : tensor<!onnx.string>
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<!onnx.string> with then_branch() {
    onnx.Yield %s : tensor<!onnx.string>
  }, else_branch() {
    onnx.Yield %s : tensor<!onnx.string>
  }
  return %r : tensor<!onnx.string>
}

// -----

// CHECK-LABEL: @if_sequence
// CHECK-NEXT: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @if_sequence() -> tensor<i64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %no = onnx.Constant dense<false> : tensor<i1>
  %r = onnx.If(%no) <{since = 16}> : (tensor<i1>) -> !onnx.seq<tensor<*xi64>> with then_branch() {
    %p = onnx.SequenceConstruct(%a) <{since = 11}> : (tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %p : !onnx.seq<tensor<*xi64>>
  }, else_branch() {
    %q = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %q : !onnx.seq<tensor<*xi64>>
  }
  %n = onnx.SequenceLength(%r) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @if_optional
// CHECK-NEXT: onnx.Constant dense<false> : tensor<i1>
// CHECK-NEXT: return
func.func @if_optional() -> tensor<i1> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> !onnx.optional<tensor<2xi64>> with then_branch() {
    %o = onnx.Optional() <{since = 15}> {type = tensor<2xi64>} : () -> !onnx.optional<tensor<2xi64>>
    onnx.Yield %o : !onnx.optional<tensor<2xi64>>
  }, else_branch() {
    %q = onnx.Optional(%a) <{since = 15}> : (tensor<2xi64>) -> !onnx.optional<tensor<2xi64>>
    onnx.Yield %q : !onnx.optional<tensor<2xi64>>
  }
  %n = onnx.OptionalHasElement(%r) <{since = 15}> : (!onnx.optional<tensor<2xi64>>) -> tensor<i1>
  return %n : tensor<i1>
}

// -----

// Nobody takes it.
// CHECK-LABEL: @if_error_in_the_other_branch
// CHECK-NEXT: onnx.Constant dense<[11, 22]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @if_error_in_the_other_branch() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %d = onnx.Div(%a, %z) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %d : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @if_error_in_the_branch_stays
// CHECK: onnx.If(
func.func @if_error_in_the_branch_stays() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %z = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.If not folded: in its body, onnx.Div: }}
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    // expected-remark @+1 {{onnx.Div not folded: }}
    %d = onnx.Div(%a, %z) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %d : tensor<2xi64>
  }, else_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// The reason is the operator that is to blame, not the one that reads it.
// CHECK-LABEL: @if_random_stays
// CHECK: onnx.If(
func.func @if_random_stays() -> tensor<2xf32> {
  %f = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.If not folded: in its body, onnx.RandomUniform: is random}}
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<2xf32> with then_branch() {
    // expected-remark @+1 {{onnx.RandomUniform not folded: is random}}
    %u = onnx.RandomUniform() <{since = 1}> {shape = array<i64: 2>} : () -> tensor<2xf32>
    %v = onnx.Neg(%u) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
    onnx.Yield %v : tensor<2xf32>
  }, else_branch() {
    %w = onnx.CastLike(%a, %f) <{since = 15}> : (tensor<2xi64>, tensor<f32>) -> tensor<2xf32>
    onnx.Yield %w : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// What is constant in a branch folds there.
// CHECK-LABEL: @if_input_in_the_branch_stays
// CHECK: onnx.If(
// CHECK: %[[T:.*]] = onnx.Constant dense<[11, 22]>
// CHECK-NEXT: onnx.Add(%[[T]], %{{.*}})
func.func @if_input_in_the_branch_stays(%x: tensor<2xi64>) -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %u = onnx.Add(%t, %x) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %u : tensor<2xi64>
  }, else_branch() {
    %w = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %w : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @if_condition_stays
// CHECK: onnx.If(
// CHECK: onnx.Constant dense<[11, 22]>
// CHECK: onnx.Yield
// CHECK: onnx.Constant dense<[10, 40]>
// CHECK: onnx.Yield
func.func @if_condition_stays(%c: tensor<i1>) -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %r = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @if_two_conditions_stays
// CHECK: onnx.If(
func.func @if_two_conditions_stays() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %c = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // expected-remark @+1 {{onnx.If not folded: input #0 has shape [2], expected one element}}
  %r = onnx.If(%c) <{since = 16}> : (tensor<2xi1>) -> tensor<2xi64> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %t : tensor<2xi64>
  }, else_branch() {
    %e = onnx.Mul(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %e : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// A sequence is kept where the function gives it, but its parts fold.
// CHECK-LABEL: @if_result_stays
// CHECK: onnx.If(
// CHECK: %[[T:.*]] = onnx.Constant dense<[11, 22]>
// CHECK-NEXT: onnx.SequenceConstruct(%[[T]])
func.func @if_result_stays() -> !onnx.seq<tensor<*xi64>> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.If not folded: no constant can hold its result; its users fold}}
  %r = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> !onnx.seq<tensor<*xi64>> with then_branch() {
    %t = onnx.Add(%a, %b) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    // expected-remark @+1 {{no constant can hold its result; its users fold}}
    %p = onnx.SequenceConstruct(%t) <{since = 11}> : (tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %p : !onnx.seq<tensor<*xi64>>
  }, else_branch() {
    // expected-remark @+1 {{no constant can hold its result; its users fold}}
    %q = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %q : !onnx.seq<tensor<*xi64>>
  }
  return %r : !onnx.seq<tensor<*xi64>>
}

// -----

// A sequence that nobody reads need not be stored.
// CHECK-LABEL: @if_unread_sequence
// CHECK-NEXT: onnx.Constant dense<[10, 20]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @if_unread_sequence() -> tensor<2xi64> {
  %a = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %b = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %yes = onnx.Constant dense<true> : tensor<i1>
  %r:2 = onnx.If(%yes) <{since = 16}> : (tensor<i1>) -> (tensor<2xi64>, !onnx.seq<tensor<*xi64>>) with then_branch() {
    %p = onnx.SequenceConstruct(%a) <{since = 11}> : (tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %b, %p : tensor<2xi64>, !onnx.seq<tensor<*xi64>>
  }, else_branch() {
    %q = onnx.SequenceConstruct(%a, %b) <{since = 11}> : (tensor<2xi64>, tensor<2xi64>) -> !onnx.seq<tensor<*xi64>>
    onnx.Yield %a, %q : tensor<2xi64>, !onnx.seq<tensor<*xi64>>
  }
  return %r#0 : tensor<2xi64>
}
