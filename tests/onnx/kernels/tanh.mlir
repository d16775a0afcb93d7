// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy in double, rounded once to the type: that is the correctly rounded f32, f16,
// bf16; f64 is within 1 ulp.

// CHECK-LABEL: @tanh_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.76159417{{[0-9]*}}, -0.98661428{{[0-9]*}}, 1.000000e+00, 1.000000e+00, -1.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @tanh_f32_special() -> tensor<8xf32> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, -2.500000e+00, 1.000000e+02, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @tanh_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @tanh_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @tanh_i32_stays
// CHECK: onnx.Tanh(
func.func @tanh_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Tanh not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Tanh(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
