// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Rounded after each addition, as the reference evaluator adds.

// CHECK-LABEL: @mean_f32_three_broadcast
// CHECK: onnx.Constant dense<{{\[\[}}2.3333332{{[0-9]*}}, 3.6666667{{[0-9]*}}], [2.6666667{{[0-9]*}}, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @mean_f32_three_broadcast() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 5.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[[2.000000e+00], [3.000000e+00]]> : tensor<2x1xf32>
  %z = onnx.Constant dense<4.000000e+00> : tensor<f32>
  %r = onnx.Mean(%x, %y, %z) <{since = 8}> : (tensor<2xf32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @mean_f32_special
// CHECK: onnx.Constant dense<[{{0x[7F][0-9A-F]+}}, 1.500000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @mean_f32_special() -> tensor<3xf32> {
  %x = onnx.Constant dense<[0x7F800000, 1.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %y = onnx.Constant dense<[0xFF800000, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
  %r = onnx.Mean(%x, %y) <{since = 13}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// 2048 + 1 is 2048 in f16, twice; an exact sum would give 2050.
// CHECK-LABEL: @mean_f16_rounds_each_step
// CHECK: onnx.Constant dense<[6.825000e+02, 1.9982{{[0-9]+}}e-01]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @mean_f16_rounds_each_step() -> tensor<2xf16> {
  %x = onnx.Constant dense<[2.048000e+03, 9.997560e-02]> : tensor<2xf16>
  %y = onnx.Constant dense<[1.000000e+00, 1.999510e-01]> : tensor<2xf16>
  %z = onnx.Constant dense<[1.000000e+00, 3.000490e-01]> : tensor<2xf16>
  %r = onnx.Mean(%x, %y, %z) <{since = 13}> : (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @mean_f32_v6
// CHECK: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @mean_f32_v6() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[3.000000e+00, 6.000000e+00]> : tensor<2xf32>
  %r = onnx.Mean(%x, %y) <{since = 6}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @mean_f32_v1
// CHECK: onnx.Constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @mean_f32_v1() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[3.000000e+00, 6.000000e+00]> : tensor<2xf32>
  %r = onnx.Mean(%x, %y) <{since = 1}> {consumed_inputs = array<i64: 0, 0>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @mean_f32_v6_broadcast_stays
// CHECK: onnx.Mean(
func.func @mean_f32_v6_broadcast_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<4.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Mean not folded: input #1 has shape [], expected [2] as input #0}}
  %r = onnx.Mean(%x, %y) <{since = 6}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @mean_f32_mismatch_stays
// CHECK: onnx.Mean(
func.func @mean_f32_mismatch_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.Mean not folded: shapes [2] and [3] do not broadcast}}
  %r = onnx.Mean(%x, %y) <{since = 13}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
