// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. -inf * 0 is NaN, as the formula has it.

// CHECK-LABEL: @mish_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.37524521{{[0-9]*}}, -0.12992696{{[0-9]*}}, 0.86509841{{[0-9]*}}, -0.3034014{{[0-9]*}}, 2.9865350{{[0-9]*}}, -0.14564746{{[0-9]*}}, 1.000000e+02, 0x7F800000, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @mish_f32_special() -> tensor<12xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 1.000000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<12xf32>
  %r = onnx.Mish(%x) <{since = 22}> : (tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @mish_f32_rank0
// CHECK: onnx.Constant dense<0.37524521{{[0-9]*}}> : tensor<f32>
// CHECK-NEXT: return
func.func @mish_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<5.000000000e-01> : tensor<f32>
  %r = onnx.Mish(%x) <{since = 22}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @mish_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @mish_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Mish(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @mish_i32_stays
// CHECK: onnx.Mish(
func.func @mish_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Mish not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Mish(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
