// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @arrayfeatureextractor_strings
// CHECK{LITERAL}: onnx.Constant dense<"b"> : tensor<1x1x!onnx.string>
// CHECK-NEXT: return
func.func @arrayfeatureextractor_strings() -> tensor<1x1x!onnx.string> {
  %x0 = onnx.Constant dense<[["a", "b"]]> : tensor<1x2x!onnx.string>
  %x1 = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.ml.ArrayFeatureExtractor(%x0, %x1) <{since = 1}> : (tensor<1x2x!onnx.string>, tensor<i64>) -> tensor<1x1x!onnx.string>
  return %r : tensor<1x1x!onnx.string>
}

// -----

// CHECK-LABEL: @arrayfeatureextractor_outside_stays
// CHECK: onnx.ml.ArrayFeatureExtractor(
func.func @arrayfeatureextractor_outside_stays() -> tensor<1x1xi64> {
  %x0 = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %x1 = onnx.Constant dense<[3]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.ArrayFeatureExtractor not folded: index [0] is 3, the dimension is 3}}
  %r = onnx.ml.ArrayFeatureExtractor(%x0, %x1) <{since = 1}> : (tensor<3xi64>, tensor<1xi64>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

// CHECK-LABEL: @arrayfeatureextractor_negative_stays
// CHECK: onnx.ml.ArrayFeatureExtractor(
func.func @arrayfeatureextractor_negative_stays() -> tensor<1x1xi64> {
  %x0 = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %x1 = onnx.Constant dense<[-1]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.ArrayFeatureExtractor not folded: index [0] is -1, and this version has no negative ones}}
  %r = onnx.ml.ArrayFeatureExtractor(%x0, %x1) <{since = 1}> : (tensor<3xi64>, tensor<1xi64>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

// CHECK-LABEL: @arrayfeatureextractor_scalar_stays
// CHECK: onnx.ml.ArrayFeatureExtractor(
func.func @arrayfeatureextractor_scalar_stays() -> tensor<*xi64> {
  %x0 = onnx.Constant dense<1> : tensor<i64>
  %x1 = onnx.Constant dense<[0]> : tensor<1xi64>
  // expected-remark @+1 {{onnx.ml.ArrayFeatureExtractor not folded: input #0 is a scalar, expected at least one dimension}}
  %r = onnx.ml.ArrayFeatureExtractor(%x0, %x1) <{since = 1}> : (tensor<i64>, tensor<1xi64>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}
