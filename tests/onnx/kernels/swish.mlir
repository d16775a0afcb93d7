// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the text in f64, rounded once, where they are
// not plain.

// -inf: -inf * 0, as the formula has it.
// CHECK-LABEL: @swish_f32_edges
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 0x{{[7F]}}FC00000, 0x7FC00000, -0.000000e+00, 1.000000e+03]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @swish_f32_edges() -> tensor<7xf32> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, -1.000000e+03, 1.000000e+03]> : tensor<7xf32>
  %r = onnx.Swish(%x) <{since = 24}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// By way of a sigmoid in f16 it would be 0.00150299072265625.
// CHECK-LABEL: @swish_f16_rounds_once
// CHECK: onnx.Constant dense<1.502040e-03> : tensor<1xf16>
// CHECK-NEXT: return
func.func @swish_f16_rounds_once() -> tensor<1xf16> {
  %x = onnx.Constant dense<3.000260e-03> : tensor<1xf16>
  %r = onnx.Swish(%x) <{since = 24}> : (tensor<1xf16>) -> tensor<1xf16>
  return %r : tensor<1xf16>
}

// -----

// CHECK-LABEL: @swish_of_an_unknown_value_stays
// CHECK: onnx.Swish(
func.func @swish_of_an_unknown_value_stays(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = onnx.Swish(%x) <{since = 24}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
