// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. Integers wrap.

// CHECK-LABEL: @prelu_f32_elementwise
// CHECK: onnx.Constant dense<[-5.000000e-01, -0.000000e+00, 3.000000e+00, {{0x[7F][0-9A-F]+}}, 0xFF800000, 0x7F800000]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @prelu_f32_elementwise() -> tensor<6xf32> {
  %x = onnx.Constant dense<[-2.000000000e+00, -0.000000000e+00, 3.000000000e+00, 0x7FC00000, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  %y = onnx.Constant dense<[2.500000000e-01, 5.000000000e-01, 2.000000000e+00, 1.000000000e+00, 5.000000000e-01, 7.000000000e+00]> : tensor<6xf32>
  %r = onnx.PRelu(%x, %y) <{since = 16}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @prelu_f32_v6_equal_shapes
// CHECK: onnx.Constant dense<[-5.000000e-01, -6.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @prelu_f32_v6_equal_shapes() -> tensor<2xf32> {
  %x = onnx.Constant dense<[-1.000000000e+00, -2.000000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[5.000000000e-01, 3.000000000e+00]> : tensor<2xf32>
  %r = onnx.PRelu(%x, %y) <{since = 6}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @prelu_i32_wraps
// CHECK: onnx.Constant dense<[-6, 5, 0]> : tensor<3xi32>
// CHECK-NEXT: return
func.func @prelu_i32_wraps() -> tensor<3xi32> {
  %x = onnx.Constant dense<[-2, 5, -2147483648]> : tensor<3xi32>
  %y = onnx.Constant dense<[3, 3, 2]> : tensor<3xi32>
  %r = onnx.PRelu(%x, %y) <{since = 16}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// CHECK-LABEL: @prelu_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xf32>
// CHECK-NEXT: return
func.func @prelu_f32_empty() -> tensor<0x2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %y = onnx.Constant dense<[3.000000000e+00]> : tensor<1xf32>
  %r = onnx.PRelu(%x, %y) <{since = 16}> : (tensor<0x2xf32>, tensor<1xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// CHECK-LABEL: @prelu_f32_slope_larger_stays
// CHECK: onnx.PRelu(
func.func @prelu_f32_slope_larger_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[[1.000000000e+00, 2.000000000e+00], [1.000000000e+00, 2.000000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.PRelu not folded: slope has shape [2, 2], which does not broadcast to [2]}}
  %r = onnx.PRelu(%x, %y) <{since = 16}> : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// One slope for each channel (axis 1), as in ONNX's converted tests PReLU_*_multiparam; along the last axis it would be -1, -2.
// CHECK-LABEL: @prelu_f32_v6_per_channel
// CHECK: onnx.Constant dense<{{\[\[\[}}-1.000000e+00, -1.000000e+00], [-2.000000e+00, 5.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NEXT: return
func.func @prelu_f32_v6_per_channel() -> tensor<1x2x2xf32> {
  %x = onnx.Constant dense<[[[-1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 5.000000000e+00]]]> : tensor<1x2x2xf32>
  %y = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %r = onnx.PRelu(%x, %y) <{since = 6}> : (tensor<1x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @prelu_f32_v6_per_column_stays
// CHECK: onnx.PRelu(
func.func @prelu_f32_v6_per_column_stays() -> tensor<1x2x3xf32> {
  %x = onnx.Constant dense<-1.000000000e+00> : tensor<1x2x3xf32>
  %y = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00, 3.000000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.PRelu not folded: slope has shape [3], which does not broadcast to [1, 2, 3]}}
  %r = onnx.PRelu(%x, %y) <{since = 6}> : (tensor<1x2x3xf32>, tensor<3xf32>) -> tensor<1x2x3xf32>
  return %r : tensor<1x2x3xf32>
}

// -----

// CHECK-LABEL: @prelu_i8_stays
// CHECK: onnx.PRelu(
func.func @prelu_i8_stays() -> tensor<2xi8> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  %y = onnx.Constant dense<[1, 2]> : tensor<2xi8>
  // expected-remark @+1 {{onnx.PRelu not folded: input #0 ('X') is tensor<2xi8>, expected one of}}
  %r = onnx.PRelu(%x, %y) <{since = 16}> : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}
