// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @optional_of_tensor
// CHECK-NEXT: onnx.Constant dense<7> : tensor<i64>
// CHECK-NEXT: return
func.func @optional_of_tensor() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<i64>
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalGetElement(%o) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @optional_of_sequence
// CHECK-NEXT: onnx.Constant dense<7> : tensor<i64>
// CHECK-NEXT: return
func.func @optional_of_sequence() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<i64>
  %s = onnx.SequenceConstruct(%x) <{since = 11}> : (tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %o = onnx.Optional(%s) <{since = 28}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.optional<!onnx.seq<tensor<*xi64>>>
  %t = onnx.OptionalGetElement(%o) <{since = 28}> : (!onnx.optional<!onnx.seq<tensor<*xi64>>>) -> !onnx.seq<tensor<*xi64>>
  %i = onnx.Constant dense<0> : tensor<i64>
  %r = onnx.SequenceAt(%t, %i) <{since = 11}> : (!onnx.seq<tensor<*xi64>>, tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @optional_of_nothing
// CHECK-NEXT: onnx.Constant dense<false> : tensor<i1>
// CHECK-NEXT: return
func.func @optional_of_nothing() -> tensor<i1> {
  %o = onnx.Optional() <{since = 15}> {type = tensor<i64>} : () -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalHasElement(%o) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// An optional is no tensor, also where it holds one.
// CHECK-LABEL: @optional_result_stays
// CHECK: onnx.Optional(
func.func @optional_result_stays() -> !onnx.optional<tensor<i64>> {
  %x = onnx.Constant dense<7> : tensor<i64>
  // expected-remark @+1 {{onnx.Optional not folded: no constant can hold its result; its users fold}}
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  return %o : !onnx.optional<tensor<i64>>
}

// -----

// CHECK-LABEL: @optional_of_nothing_stays
// CHECK: onnx.Optional(
func.func @optional_of_nothing_stays() -> !onnx.optional<tensor<i64>> {
  // expected-remark @+1 {{onnx.Optional not folded: no constant can hold its result; its users fold}}
  %o = onnx.Optional() <{since = 28}> {type = tensor<i64>} : () -> !onnx.optional<tensor<i64>>
  return %o : !onnx.optional<tensor<i64>>
}

// -----

// CHECK-LABEL: @optional_of_input_stays
// CHECK: onnx.Optional(
func.func @optional_of_input_stays(%x: tensor<i64>) -> tensor<i64> {
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalGetElement(%o) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %r : tensor<i64>
}
