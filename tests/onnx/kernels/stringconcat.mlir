// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @stringconcat_strings
// CHECK{LITERAL}: onnx.Constant dense<["abc.com", "x", "a\22b"]> : tensor<3x!onnx.string>
// CHECK-NEXT: return
func.func @stringconcat_strings() -> tensor<3x!onnx.string> {
  %x0 = onnx.Constant dense<["abc", "", "a\22b"]> : tensor<3x!onnx.string>
  %x1 = onnx.Constant dense<[".com", "x", ""]> : tensor<3x!onnx.string>
  %r = onnx.StringConcat(%x0, %x1) <{since = 20}> : (tensor<3x!onnx.string>, tensor<3x!onnx.string>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @stringconcat_broadcasts
// CHECK{LITERAL}: onnx.Constant dense<[["a1", "a2"], ["b1", "b2"]]> : tensor<2x2x!onnx.string>
// CHECK-NEXT: return
func.func @stringconcat_broadcasts() -> tensor<2x2x!onnx.string> {
  %x0 = onnx.Constant dense<[["a"], ["b"]]> : tensor<2x1x!onnx.string>
  %x1 = onnx.Constant dense<["1", "2"]> : tensor<2x!onnx.string>
  %r = onnx.StringConcat(%x0, %x1) <{since = 20}> : (tensor<2x1x!onnx.string>, tensor<2x!onnx.string>) -> tensor<2x2x!onnx.string>
  return %r : tensor<2x2x!onnx.string>
}

// -----

// CHECK-LABEL: @stringconcat_scalar
// CHECK{LITERAL}: onnx.Constant dense<"ab"> : tensor<!onnx.string>
// CHECK-NEXT: return
func.func @stringconcat_scalar() -> tensor<!onnx.string> {
  %x0 = onnx.Constant dense<"a"> : tensor<!onnx.string>
  %x1 = onnx.Constant dense<"b"> : tensor<!onnx.string>
  %r = onnx.StringConcat(%x0, %x1) <{since = 20}> : (tensor<!onnx.string>, tensor<!onnx.string>) -> tensor<!onnx.string>
  return %r : tensor<!onnx.string>
}

// -----

// CHECK-LABEL: @stringconcat_shapes_stays
// CHECK: onnx.StringConcat(
func.func @stringconcat_shapes_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %x1 = onnx.Constant dense<["a", "b", "c"]> : tensor<3x!onnx.string>
  // expected-remark @+1 {{onnx.StringConcat not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.StringConcat(%x0, %x1) <{since = 20}> : (tensor<2x!onnx.string>, tensor<3x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}
