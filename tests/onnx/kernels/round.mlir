// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Halfway cases go to the even neighbour (numpy.round), never away from zero.

// CHECK-LABEL: @round_f32_ties_to_even
// CHECK: onnx.Constant dense<[-2.000000e+00, -2.000000e+00, -0.000000e+00, -0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 0.000000e+00, 0x4B000001, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @round_f32_ties_to_even() -> tensor<11xf32> {
  %x = onnx.Constant dense<[-2.500000e+00, -1.500000e+00, -5.000000e-01, -0.000000e+00, 5.000000e-01, 1.500000e+00, 2.500000e+00, 0.49999997, 0x4B000001, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %r = onnx.Round(%x) <{since = 11}> : (tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @round_i32_stays
// CHECK: onnx.Round(
func.func @round_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Round not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Round(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
