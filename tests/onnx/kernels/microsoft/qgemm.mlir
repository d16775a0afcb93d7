// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @qgemm_1
// CHECK{LITERAL}: onnx.Constant dense<[[3.384750e+03, 2.335000e+02], [2.704000e+03, 3.052500e+02]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @qgemm_1() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[92, 20], [50, 55]]> : tensor<2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<[[97, 106], [13, 118]]> : tensor<2x2xui8>
  %i4 = onnx.Constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
  %i5 = onnx.Constant dense<128> : tensor<2xui8>
  %i6 = onnx.Constant dense<[3, -4]> : tensor<2xi32>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6) <{domain = "com.microsoft", op_type = "QGemm", since = 1}> : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<2xf32>, tensor<2xui8>, tensor<2xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @qgemm_2
// CHECK{LITERAL}: onnx.Constant dense<[[130, 180], [116, 82]]> : tensor<2x2xui8>
// CHECK-NEXT: return
func.func @qgemm_2() -> tensor<2x2xui8> {
  %i0 = onnx.Constant dense<[[232, 226], [35, 81]]> : tensor<2x2xui8>
  %i1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i2 = onnx.Constant dense<128> : tensor<ui8>
  %i3 = onnx.Constant dense<[[129, 127], [130, 128]]> : tensor<2x2xui8>
  %i4 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %i5 = onnx.Constant dense<128> : tensor<ui8>
  %i6 = onnx.Absent
  %i7 = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %i8 = onnx.Constant dense<128> : tensor<ui8>
  %r = onnx.Custom(%i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7, %i8) <{domain = "com.microsoft", op_type = "QGemm", since = 1}> {transB = 1 : i64} : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>, none, tensor<f32>, tensor<ui8>) -> tensor<2x2xui8>
  return %r : tensor<2x2xui8>
}

// -----

// CHECK-LABEL: @qgemm_input_missing_stays
// CHECK: onnx.Custom(
func.func @qgemm_input_missing_stays() -> tensor<2x2xf32> {
  %i0 = onnx.Constant dense<[[92, 20], [50, 55]]> : tensor<2x2xui8>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "QGemm", since = 1}> : (tensor<2x2xui8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
