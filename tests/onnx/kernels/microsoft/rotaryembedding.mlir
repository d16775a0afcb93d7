// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @rotaryembedding_1
// CHECK{LITERAL}: onnx.Constant dense<[[[1.750000e+00, -2.500000e-01, -1.500000e+00, -2.250000e+00], [1.000000e+00, -2.500000e-01, -3.000000e+00, -2.500000e+00]]]> : tensor<1x2x4xf32>
// CHECK-NEXT: return
func.func @rotaryembedding_1() -> tensor<1x2x4xf32> {
  %i0 = onnx.Constant dense<[[[1.750000e+00, -2.250000e+00, -1.500000e+00, 2.500000e-01], [-3.000000e+00, 2.500000e-01, -1.000000e+00, 2.500000e+00]]]> : tensor<1x2x4xf32>
  %i1 = onnx.Constant dense<0> : tensor<1xi64>
  %i2 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00]]> : tensor<3x2xf32>
  %i3 = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3) <{domain = "com.microsoft", op_type = "RotaryEmbedding", since = 1}> : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_2
// CHECK{LITERAL}: onnx.Constant dense<[[[2.000000e+00, -5.500000e+00, 0.000000e+00, -3.250000e+00], [-2.500000e-01, 2.250000e+00, -1.000000e+00, 2.250000e+00]]]> : tensor<1x2x4xf32>
// CHECK-NEXT: return
func.func @rotaryembedding_2() -> tensor<1x2x4xf32> {
  %i0 = onnx.Constant dense<[[[2.000000e+00, -5.500000e+00, 0.000000e+00, -3.250000e+00], [2.250000e+00, 2.500000e-01, 1.000000e+00, -2.250000e+00]]]> : tensor<1x2x4xf32>
  %i1 = onnx.Constant dense<[[2, 1]]> : tensor<1x2xi64>
  %i2 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00]]> : tensor<3x2xf32>
  %i3 = onnx.Constant dense<[[0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3) <{domain = "com.microsoft", op_type = "RotaryEmbedding", since = 1}> {interleaved = 1 : i64} : (tensor<1x2x4xf32>, tensor<1x2xi64>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: @rotaryembedding_input_missing_stays
// CHECK: onnx.Custom(
func.func @rotaryembedding_input_missing_stays() -> tensor<1x2x4xf32> {
  %i0 = onnx.Constant dense<[[[1.750000e+00, -2.250000e+00, -1.500000e+00, 2.500000e-01], [-3.000000e+00, 2.500000e-01, -1.000000e+00, 2.500000e+00]]]> : tensor<1x2x4xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "RotaryEmbedding", since = 1}> : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}
