// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the input.

// CHECK-LABEL: @identity_f32_bits
// CHECK: onnx.Constant dense<[0x7FC00000, -0.000000e+00, 0x7F800000]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @identity_f32_bits() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0x7FC00000, -0.000000e+00, 0x7F800000]> : tensor<3xf32>
  %r = onnx.Identity(%x) <{since = 1}> : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @identity_rank_0
// CHECK: onnx.Constant dense<2> : tensor<i64>
// CHECK-NEXT: return
func.func @identity_rank_0() -> tensor<i64> {
  %x = onnx.Constant dense<2> : tensor<i64>
  %r = onnx.Identity(%x) <{since = 16}> : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @identity_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @identity_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.Identity(%x) <{since = 14}> : (tensor<0x2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @identity_not_constant_stays
// CHECK: onnx.Identity(
func.func @identity_not_constant_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = onnx.Identity(%x) <{since = 16}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @identity_symbols
// CHECK: %[[R:.*]] = onnx.Constant dense<3> : tensor<i64>
// CHECK: return %[[R]]
func.func @identity_symbols(%x: tensor<?x3xf32>) -> tensor<i64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %t = onnx.Identity(%s) <{since = 16}> : (tensor<2xi64>) -> tensor<2xi64>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%t, %i) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// Sequences (from version 14 on) pass through; so do optionals, empty ones too.
// CHECK-LABEL: @identity_sequence
// CHECK-NEXT: onnx.Constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @identity_sequence() -> tensor<2xi64> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %s = onnx.SequenceConstruct(%x) <{since = 11}> : (tensor<2xi64>) -> !onnx.seq<tensor<2xi64>>
  %t = onnx.Identity(%s) <{since = 14}> : (!onnx.seq<tensor<2xi64>>) -> !onnx.seq<tensor<2xi64>>
  %r = onnx.ConcatFromSequence(%t) <{since = 11}> {axis = 0 : i64} : (!onnx.seq<tensor<2xi64>>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @identity_optional
// CHECK-DAG: %[[H:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<7> : tensor<i64>
// CHECK: return %[[H]], %[[R]]
func.func @identity_optional() -> (tensor<i1>, tensor<i64>) {
  %x = onnx.Constant dense<7> : tensor<i64>
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  %p = onnx.Identity(%o) <{since = 16}> : (!onnx.optional<tensor<i64>>) -> !onnx.optional<tensor<i64>>
  %h = onnx.OptionalHasElement(%p) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  %r = onnx.OptionalGetElement(%p) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %h, %r : tensor<i1>, tensor<i64>
}

// -----

// CHECK-LABEL: @identity_nothing
// CHECK-NEXT: %[[H:.*]] = onnx.Constant dense<false> : tensor<i1>
// CHECK-NEXT: return %[[H]]
func.func @identity_nothing() -> tensor<i1> {
  %o = onnx.Optional() <{since = 15}> {type = tensor<i64>} : () -> !onnx.optional<tensor<i64>>
  %p = onnx.Identity(%o) <{since = 25}> : (!onnx.optional<tensor<i64>>) -> !onnx.optional<tensor<i64>>
  %h = onnx.OptionalHasElement(%p) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  return %h : tensor<i1>
}

// -----

// CHECK-LABEL: @identity_optional_result_stays
// CHECK: onnx.Identity(
func.func @identity_optional_result_stays() -> !onnx.optional<tensor<i64>> {
  %x = onnx.Constant dense<7> : tensor<i64>
  // expected-remark @+1 {{onnx.Optional not folded: no constant can hold its result; its users fold}}
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  // expected-remark @+1 {{onnx.Identity not folded: no constant can hold its result; its users fold}}
  %p = onnx.Identity(%o) <{since = 16}> : (!onnx.optional<tensor<i64>>) -> !onnx.optional<tensor<i64>>
  return %p : !onnx.optional<tensor<i64>>
}
