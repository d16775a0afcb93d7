// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool.

// CHECK-LABEL: @selu_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.52535051{{[0-9]*}}, -0.38889020{{[0-9]*}}, 1.0507010{{[0-9]*}}, -1.1113307{{[0-9]*}}, 3.1521029{{[0-9]*}}, -1.670568{{[0-9]*}}, 0x7F800000, -1.7580993{{[0-9]*}}, {{0x[7F][0-9A-F]+}}]> : tensor<11xf32>
// CHECK-NEXT: return
func.func @selu_f32_special() -> tensor<11xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %r = onnx.Selu(%x) <{since = 22}> : (tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}

// -----

// CHECK-LABEL: @selu_f32_rank0
// CHECK: onnx.Constant dense<0.52535051{{[0-9]*}}> : tensor<f32>
// CHECK-NEXT: return
func.func @selu_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<5.000000000e-01> : tensor<f32>
  %r = onnx.Selu(%x) <{since = 22}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @selu_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @selu_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Selu(%x) <{since = 22}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @selu_i32_stays
// CHECK: onnx.Selu(
func.func @selu_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Selu not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Selu(%x) <{since = 22}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Version 1 has other default values.
// CHECK-LABEL: @selu_f32_v1
// CHECK: onnx.Constant dense<[-1.1112875{{[0-9]*}}, {{(2[.]101400e[+]00|2[.]101399[0-9]*)}}]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @selu_f32_v1() -> tensor<2xf32> {
  %x = onnx.Constant dense<[-1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  %r = onnx.Selu(%x) <{since = 1}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
