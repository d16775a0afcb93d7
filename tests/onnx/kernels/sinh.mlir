// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool.

// CHECK-LABEL: @sinh_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.52109527{{[0-9]*}}, -0.25261232{{[0-9]*}}, 1.1752011{{[0-9]*}}, -1.1752011{{[0-9]*}}, 3.6268603{{[0-9]*}}, 0x7F800000, 0xFF800000, {{0x[7F][0-9A-F]+}}, 0x7F800000, 0xFF800000]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @sinh_f32_special() -> tensor<12xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 2.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 1.000000000e+03, -1.000000000e+03]> : tensor<12xf32>
  %r = onnx.Sinh(%x) <{since = 22}> : (tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @sinh_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @sinh_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Sinh(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @sinh_i32_stays
// CHECK: onnx.Sinh(
func.func @sinh_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Sinh not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Sinh(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
