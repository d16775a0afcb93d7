// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. -inf * 0 is NaN, as the formula has it.

// CHECK-LABEL: @hardswish_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, 0.29166665{{[0-9]*}}, 0.66666668{{[0-9]*}}, -0.33333334{{[0-9]*}}, 3.000000e+00, 2.2916667{{[0-9]*}}, -0.20833332{{[0-9]*}}, 5.000000e+00, 0x7F800000, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @hardswish_f32_special() -> tensor<11xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, 5.000000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, 2.500000000e+00, -2.500000000e+00, 5.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %r = onnx.HardSwish(%x) <{since = 22}> : (tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @hardswish_f32_rank0
// CHECK: onnx.Constant dense<0.29166665{{[0-9]*}}> : tensor<f32>
// CHECK-NEXT: return
func.func @hardswish_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<5.000000000e-01> : tensor<f32>
  %r = onnx.HardSwish(%x) <{since = 22}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @hardswish_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @hardswish_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.HardSwish(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @hardswish_i32_stays
// CHECK: onnx.HardSwish(
func.func @hardswish_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.HardSwish not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.HardSwish(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
