// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy in double, rounded once to the type: that is the correctly rounded f32, f16,
// bf16; f64 is within 1 ulp.

// CHECK-LABEL: @log_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, 0.69314718{{[0-9]*}}, 0xFF800000, 0xFF800000, 2.3513753{{[0-9]*}}, 0x7F800000, {{0x[7F][0-9A-F]+}}]> : tensor<7xf32>
// CHECK-NEXT: return
func.func @log_f32_special() -> tensor<7xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 0.000000e+00, -0.000000e+00, 1.050000e+01, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  %r = onnx.Log(%x) <{since = 13}> : (tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// CHECK-LABEL: @log_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @log_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Log(%x) <{since = 13}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @log_i32_stays
// CHECK: onnx.Log(
func.func @log_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Log not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Log(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
