// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. NaN is not greater than alpha, so it becomes 0.

// CHECK-LABEL: @thresholdedrelu_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 3.000000e+00, 0.000000e+00, 0x7F800000, 0.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<12xf32>
// CHECK-NEXT: return
func.func @thresholdedrelu_f32_special() -> tensor<12xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000, 9.990000129e-01]> : tensor<12xf32>
  %r = onnx.ThresholdedRelu(%x) <{since = 22}> : (tensor<12xf32>) -> tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// CHECK-LABEL: @thresholdedrelu_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @thresholdedrelu_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.ThresholdedRelu(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @thresholdedrelu_i32_stays
// CHECK: onnx.ThresholdedRelu(
func.func @thresholdedrelu_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.ThresholdedRelu not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.ThresholdedRelu(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// An attribute is an f32 value, also for f64.
// CHECK-LABEL: @thresholdedrelu_f64_attributes
// CHECK: onnx.Constant dense<[0.000000e+00, 3.750000e-01, 2.000000e+00]> : tensor<3xf64>
// CHECK-NEXT: return
func.func @thresholdedrelu_f64_attributes() -> tensor<3xf64> {
  %x = onnx.Constant dense<[-3.00000000000000000e+00, 3.75000000000000000e-01, 2.00000000000000000e+00]> : tensor<3xf64>
  %r = onnx.ThresholdedRelu(%x) <{since = 22}> {alpha = -2.000000000e+00 : f32} : (tensor<3xf64>) -> tensor<3xf64>
  return %r : tensor<3xf64>
}
