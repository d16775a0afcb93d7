// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: those of ONNX Runtime. test_microsoft.py compares more.

// CHECK-LABEL: @matmulinteger16
// CHECK{LITERAL}: onnx.Constant dense<[[120007, -899], [-1986, 17]]> : tensor<2x2xi32>
// CHECK-NEXT: return
func.func @matmulinteger16() -> tensor<2x2xi32> {
  %i0 = onnx.Constant dense<[[1, -300], [2, 5]]> : tensor<2x2xi16>
  %i1 = onnx.Constant dense<[[7, 1], [-400, 3]]> : tensor<2x2xi16>
  %r = onnx.Custom(%i0, %i1) <{domain = "com.microsoft", op_type = "MatMulInteger16", since = 1}> : (tensor<2x2xi16>, tensor<2x2xi16>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: @matmulinteger16_input_missing_stays
// CHECK: onnx.Custom(
func.func @matmulinteger16_input_missing_stays() -> tensor<2x2xi32> {
  %i0 = onnx.Constant dense<[[1, -300], [2, 5]]> : tensor<2x2xi16>
  // expected-remark @+1 {{onnx.Custom not folded: input #1 is missing}}
  %r = onnx.Custom(%i0) <{domain = "com.microsoft", op_type = "MatMulInteger16", since = 1}> : (tensor<2x2xi16>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
