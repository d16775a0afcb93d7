// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @matmulnbits_1
// CHECK{LITERAL}: onnx.Constant dense<[[-5.000000e-01, -1.600000e+01], [1.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @matmulnbits_1() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x16xf32>
  %i1 = onnx.Constant dense<[[[167, 5, 146, 211, 201, 15, 70, 23]], [[128, 246, 204, 192, 192, 86, 250, 33]]]> : tensor<2x1x8xui8>
  %i2 = onnx.Constant dense<[5.000000e-01, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "MatMulNBits", since = 1}> {K = 16 : i64, N = 2 : i64, bits = 4 : i64, block_size = 16 : i64} : (tensor<2x16xf32>, tensor<2x1x8xui8>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @matmulnbits_2
// CHECK{LITERAL}: onnx.Constant dense<1.400000e+01> : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @matmulnbits_2() -> tensor<1x1xf32> {
  %i0 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<1x16xf32>
  %i1 = onnx.Constant dense<[[[34, 99, 118, 86, 120, 223, 119, 107, 163, 21, 228, 237, 5, 159, 254, 29]]]> : tensor<1x1x16xui8>
  %i2 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %i3 = onnx.Constant dense<3> : tensor<1xui8>
  %i4 = onnx.Absent
  %i5 = onnx.Constant dense<-1.500000e+00> : tensor<1xf32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5) <{domain = "com.microsoft", op_type = "MatMulNBits", since = 1}> {K = 16 : i64, N = 1 : i64, bits = 8 : i64, block_size = 16 : i64} : (tensor<1x16xf32>, tensor<1x1x16xui8>, tensor<1xf32>, tensor<1xui8>, none, tensor<1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// CHECK-LABEL: @matmulnbits_input_missing_stays
// CHECK: onnx.Custom(
func.func @matmulnbits_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x16xf32>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "MatMulNBits", since = 1}> {K = 16 : i64, N = 2 : i64, bits = 4 : i64, block_size = 16 : i64} : (tensor<2x16xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
