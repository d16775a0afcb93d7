// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool.

// CHECK-LABEL: @celu_f32_special
// CHECK: onnx.Constant dense<[5.000000e-01, -0.22119921{{[0-9]*}}, 1.000000e+00, -0.6321205{{[0-9]*}}, 3.000000e+00, -0.95021295{{[0-9]*}}, 0x7F800000, -1.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<9xf32>
// CHECK-NEXT: return
func.func @celu_f32_special() -> tensor<9xf32> {
  %x = onnx.Constant dense<[5.000000000e-01, -2.500000000e-01, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>
  %r = onnx.Celu(%x) <{since = 28}> : (tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// CHECK-LABEL: @celu_f32_rank0
// CHECK: onnx.Constant dense<-0.39346933{{[0-9]*}}> : tensor<f32>
// CHECK-NEXT: return
func.func @celu_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<-5.000000000e-01> : tensor<f32>
  %r = onnx.Celu(%x) <{since = 28}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @celu_f32_empty
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @celu_f32_empty() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.Celu(%x) <{since = 28}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @celu_f32_alpha_0_stays
// CHECK: onnx.Celu(
func.func @celu_f32_alpha_0_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, -1.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Celu not folded: attribute 'alpha' is 0}}
  %r = onnx.Celu(%x) <{since = 28}> {alpha = 0.000000e+00 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @celu_i32_stays
// CHECK: onnx.Celu(
func.func @celu_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Celu not folded: input #0 ('X') is tensor<2xi32>, expected one of}}
  %r = onnx.Celu(%x) <{since = 28}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
