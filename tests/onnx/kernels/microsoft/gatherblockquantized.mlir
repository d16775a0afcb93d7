// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @gatherblockquantized_1
// CHECK{LITERAL}: onnx.Constant dense<[[-4.500000e+00, -3.500000e+00, -5.000000e-01, -4.500000e+00, 2.500000e+00, 0.000000e+00, 2.500000e+00, 1.500000e+00, -1.500000e+00, 2.500000e+00, 0.000000e+00, 1.500000e+00, -1.500000e+00, -1.000000e+00, 5.000000e-01, 2.500000e+00]]> : tensor<1x16xf32>
// CHECK-NEXT: return
func.func @gatherblockquantized_1() -> tensor<1x16xf32> {
  %i0 = onnx.Constant dense<[[235, 119, 245, 23, 175, 161, 137, 157], [32, 8, 158, 206, 230, 201, 118, 234]]> : tensor<2x8xui8>
  %i1 = onnx.Constant dense<1> : tensor<1xi64>
  %i2 = onnx.Constant dense<[[1.000000e+00], [5.000000e-01]]> : tensor<2x1xf32>
  %i3 = onnx.Constant dense<[[7], [9]]> : tensor<2x1xui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3) <{domain = "com.microsoft", op_type = "GatherBlockQuantized", since = 1}> {bits = 4 : i64, block_size = 16 : i64} : (tensor<2x8xui8>, tensor<1xi64>, tensor<2x1xf32>, tensor<2x1xui8>) -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

// -----

// CHECK-LABEL: @gatherblockquantized_2
// CHECK{LITERAL}: onnx.Constant dense<[[[-6.400000e+01, -6.350000e+01, -6.300000e+01, -6.250000e+01, -6.200000e+01, -6.150000e+01, -6.100000e+01, -6.050000e+01, -6.000000e+01, -5.950000e+01, -5.900000e+01, -5.850000e+01, -5.800000e+01, -5.750000e+01, -5.700000e+01, -5.650000e+01]]]> : tensor<1x1x16xf32>
// CHECK-NEXT: return
func.func @gatherblockquantized_2() -> tensor<1x1x16xf32> {
  %i0 = onnx.Constant dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]> : tensor<1x16xui8>
  %i1 = onnx.Constant dense<0> : tensor<1x1xi32>
  %i2 = onnx.Constant dense<5.000000e-01> : tensor<1x1xf32>
  %r = onnx.Custom(%i0, %i1, %i2) <{domain = "com.microsoft", op_type = "GatherBlockQuantized", since = 1}> {bits = 8 : i64, block_size = 16 : i64} : (tensor<1x16xui8>, tensor<1x1xi32>, tensor<1x1xf32>) -> tensor<1x1x16xf32>
  return %r : tensor<1x1x16xf32>
}

// -----

// CHECK-LABEL: @gatherblockquantized_input_missing_stays
// CHECK: onnx.Custom(
func.func @gatherblockquantized_input_missing_stays() -> tensor<1x16xf32> {
  %i0 = onnx.Constant dense<[[235, 119, 245, 23, 175, 161, 137, 157], [32, 8, 158, 206, 230, 201, 118, 234]]> : tensor<2x8xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "GatherBlockQuantized", since = 1}> {bits = 4 : i64, block_size = 16 : i64} : (tensor<2x8xui8>) -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}
