// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @optional_get_element_of_optional
// CHECK-NEXT: onnx.Constant dense<7> : tensor<i64>
// CHECK-NEXT: return
func.func @optional_get_element_of_optional() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<i64>
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalGetElement(%o) <{since = 28}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// From version 18 on the tensor itself.
// CHECK-LABEL: @optional_get_element_of_tensor
// CHECK-NEXT: onnx.Constant dense<"a"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @optional_get_element_of_tensor() -> tensor<1x!onnx.string> {
  %x = onnx.Constant dense<["a"]> : tensor<1x!onnx.string>
  %r = onnx.OptionalGetElement(%x) <{since = 18}> : (tensor<1x!onnx.string>) -> tensor<1x!onnx.string>
  return %r : tensor<1x!onnx.string>
}

// -----

// CHECK-LABEL: @optional_get_element_of_sequence
// CHECK-NEXT: onnx.Constant dense<1> : tensor<i64>
// CHECK-NEXT: return
func.func @optional_get_element_of_sequence() -> tensor<i64> {
  %x = onnx.Constant dense<7> : tensor<i64>
  %s = onnx.SequenceConstruct(%x) <{since = 11}> : (tensor<i64>) -> !onnx.seq<tensor<*xi64>>
  %t = onnx.OptionalGetElement(%s) <{since = 18}> : (!onnx.seq<tensor<*xi64>>) -> !onnx.seq<tensor<*xi64>>
  %n = onnx.SequenceLength(%t) <{since = 11}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i64>
  return %n : tensor<i64>
}

// -----

// CHECK-LABEL: @optional_get_element_of_nothing_stays
// CHECK: onnx.OptionalGetElement(
func.func @optional_get_element_of_nothing_stays() -> tensor<i64> {
  // expected-remark @+1 {{onnx.Optional not folded: no constant can hold its result; its users fold}}
  %o = onnx.Optional() <{since = 15}> {type = tensor<i64>} : () -> !onnx.optional<tensor<i64>>
  // expected-remark @+1 {{onnx.OptionalGetElement not folded: the optional holds nothing}}
  %r = onnx.OptionalGetElement(%o) <{since = 18}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @optional_get_element_of_input_stays
// CHECK: onnx.OptionalGetElement(
func.func @optional_get_element_of_input_stays(%x: tensor<i64>) -> tensor<i64> {
  %r = onnx.OptionalGetElement(%x) <{since = 18}> : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}

// -----

// CHECK-LABEL: @optional_get_element_unknown_stays
// CHECK: onnx.OptionalGetElement(
func.func @optional_get_element_unknown_stays(%x: !onnx.optional<tensor<i64>>) -> tensor<i64> {
  %r = onnx.OptionalGetElement(%x) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i64>
  return %r : tensor<i64>
}
