// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool.

// CHECK-LABEL: @asinh_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.48121181{{[0-9]*}}, -0.2474664{{[0-9]*}}, 0.88137358{{[0-9]*}}, -0.88137358{{[0-9]*}}, 1.4436354{{[0-9]*}}, 0x7F800000, 0xFF800000, {{0x[7F][0-9A-F]+}}, 7.6009025{{[0-9]*}}, -7.6009025{{[0-9]*}}]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @asinh_f32_special() -> tensor<12xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 2.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 1.000000000e+03, -1.000000000e+03]> : tensor<12xf32>
  %r = onnx.Asinh(%x) <{since = 22}> : (tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @asinh_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @asinh_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Asinh(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @asinh_i32_stays
// CHECK: onnx.Asinh(
func.func @asinh_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Asinh not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Asinh(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
