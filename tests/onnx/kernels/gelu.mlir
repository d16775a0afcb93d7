// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. -inf * 0 is NaN, as the formula has it. Far below 0, where 1 + erf is 0 in double:
// 0.5 * x * erfc(-x / sqrt(2)), for f64 with decimals of 80 digits.

// CHECK-LABEL: @gelu_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.34573122{{[0-9]*}}, -0.10032341{{[0-9]*}}, 0.84134477{{[0-9]*}}, -0.15865525{{[0-9]*}}, 2.9959502{{[0-9]*}}, -0.0040496941{{[0-9]*}}, 1.000000e+02, 0x7F800000, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @gelu_f32_special() -> tensor<12xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 1.000000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<12xf32>
  %r = onnx.Gelu(%x) <{since = 20}> : (tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @gelu_f32_rank0
// CHECK: onnx.Constant dense<0.34573122{{[0-9]*}}> : tensor<f32>
// CHECK-NEXT: return
func.func @gelu_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<5.000000000e-01> : tensor<f32>
  %r = onnx.Gelu(%x) <{since = 20}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @gelu_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @gelu_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Gelu(%x) <{since = 20}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @gelu_i32_stays
// CHECK: onnx.Gelu(
func.func @gelu_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Gelu not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Gelu(%x) <{since = 20}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @gelu_f32_tanh
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, {{(3[.]457140e-01|0[.]34571400[0-9]*)}}, -0.10032464{{[0-9]*}}, {{(8[.]411920e-01|0[.]84119200[0-9]*)}}, -0.15880800{{[0-9]*}}, 2.9963626{{[0-9]*}}, -0.0036373920{{[0-9]*}}, 0x7F800000, {{0x[7F][0-9A-F]+}}, {{0x[7F][0-9A-F]+}}]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @gelu_f32_tanh() -> tensor<11xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %r = onnx.Gelu(%x) <{since = 20}> {approximate = "tanh"} : (tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @gelu_f32_unknown_stays
// CHECK: onnx.Gelu(
func.func @gelu_f32_unknown_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Gelu not folded: attribute 'approximate' is 'fast', expected 'none' or 'tanh'}}
  %r = onnx.Gelu(%x) <{since = 20}> {approximate = "fast"} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @gelu_f32_far_below_zero
// CHECK: onnx.Constant dense<[-5.919525{{7[0-9]*}}E-9, -7.61985{{29[0-9]*}}E-23, -7.95231{{3[0-9]*}}E-38]> : tensor<3xf32>
// CHECK-NEXT: return
func.func @gelu_f32_far_below_zero() -> tensor<3xf32> {
  %x = onnx.Constant dense<[-6.000000e+00, -1.000000e+01, -1.300000e+01]> : tensor<3xf32>
  %r = onnx.Gelu(%x) <{since = 20}> : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @gelu_f32_tanh_far_below_zero
// CHECK: onnx.Constant dense<[-8.43964{{6[0-9]*}}E-11, -1.204092{{[34][0-9]*}}E-37]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @gelu_f32_tanh_far_below_zero() -> tensor<2xf32> {
  %x = onnx.Constant dense<[-6.000000e+00, -1.000000e+01]> : tensor<2xf32>
  %r = onnx.Gelu(%x) <{since = 20}> {approximate = "tanh"} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
