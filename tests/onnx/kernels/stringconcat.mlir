// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @stringconcat_shapes_stays
// CHECK: onnx.StringConcat(
func.func @stringconcat_shapes_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %x1 = onnx.Constant dense<["a", "b", "c"]> : tensor<3x!onnx.string>
  // expected-remark @+1 {{onnx.StringConcat not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.StringConcat(%x0, %x1) <{since = 20}> : (tensor<2x!onnx.string>, tensor<3x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}
