// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. Correctly rounded; of negative numbers the NaN of x86, with its sign bit set.

// CHECK-LABEL: @sqrt_f32_special
// CHECK: onnx.Constant dense<[2.000000e+00, 1.41421354, 0.000000e+00, -0.000000e+00, 0x7F800000, 0xFFC00000]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @sqrt_f32_special() -> tensor<6xf32> {
  %x = onnx.Constant dense<[4.000000e+00, 2.000000e+00, 0.000000e+00, -0.000000e+00, 0x7F800000, -1.000000e+00]> : tensor<6xf32>
  %r = onnx.Sqrt(%x) <{since = 13}> : (tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @sqrt_f16_rounds_once
// CHECK: onnx.Constant dense<[1.4140{{[0-9]+}}e+00, 1.7324{{[0-9]+}}e+00]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @sqrt_f16_rounds_once() -> tensor<2xf16> {
  %x = onnx.Constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf16>
  %r = onnx.Sqrt(%x) <{since = 6}> : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @sqrt_i64_stays
// CHECK: onnx.Sqrt(
func.func @sqrt_i64_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[4, 9]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Sqrt not folded: input #0 ('X') is tensor<2xi64>, expected one of}}
  %r = onnx.Sqrt(%x) <{since = 13}> : (tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
