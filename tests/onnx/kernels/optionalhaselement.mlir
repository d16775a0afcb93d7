// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the text.

// CHECK-LABEL: @optional_has_element_of_optional
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[R]]
func.func @optional_has_element_of_optional() -> tensor<i1> {
  %x = onnx.Constant dense<7> : tensor<i64>
  %o = onnx.Optional(%x) <{since = 15}> : (tensor<i64>) -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalHasElement(%o) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @optional_has_element_of_nothing
// CHECK-NEXT: onnx.Constant dense<false> : tensor<i1>
// CHECK-NEXT: return
func.func @optional_has_element_of_nothing() -> tensor<i1> {
  %o = onnx.Optional() <{since = 28}> {type = tensor<i64>} : () -> !onnx.optional<tensor<i64>>
  %r = onnx.OptionalHasElement(%o) <{since = 28}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// A tensor is there, whatever is in it.
// CHECK-LABEL: @optional_has_element_of_tensor
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[R]]
func.func @optional_has_element_of_tensor(%x: tensor<*xf32>) -> tensor<i1> {
  %r = onnx.OptionalHasElement(%x) <{since = 18}> : (tensor<*xf32>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// So is a sequence.
// CHECK-LABEL: @optional_has_element_of_sequence
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[R]]
func.func @optional_has_element_of_sequence(%x: !onnx.seq<tensor<*xi64>>) -> tensor<i1> {
  %r = onnx.OptionalHasElement(%x) <{since = 18}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @optional_has_element_of_empty_sequence
// CHECK-NEXT: %[[R:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return %[[R]]
func.func @optional_has_element_of_empty_sequence() -> tensor<i1> {
  %e = onnx.SequenceEmpty() <{since = 11}> {dtype = 7 : i64} : () -> !onnx.seq<tensor<*xi64>>
  %r = onnx.OptionalHasElement(%e) <{since = 28}> : (!onnx.seq<tensor<*xi64>>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @optional_has_element_unknown_stays
// CHECK: onnx.OptionalHasElement(
func.func @optional_has_element_unknown_stays(%x: !onnx.optional<tensor<i64>>) -> tensor<i1> {
  %r = onnx.OptionalHasElement(%x) <{since = 15}> : (!onnx.optional<tensor<i64>>) -> tensor<i1>
  return %r : tensor<i1>
}
