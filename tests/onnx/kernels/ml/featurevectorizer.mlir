// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @featurevectorizer_cut_and_filled
// CHECK{LITERAL}: onnx.Constant dense<[[1.000000e+00, 5.000000e+00, 0.000000e+00]]> : tensor<1x3xf32>
// CHECK-NEXT: return
func.func @featurevectorizer_cut_and_filled() -> tensor<1x3xf32> {
  %x0 = onnx.Constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %x1 = onnx.Constant dense<[[5.0]]> : tensor<1x1xf32>
  %r = onnx.ml.FeatureVectorizer(%x0, %x1) <{since = 1}> {inputdimensions = array<i64: 1, 2>} : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// -----

// CHECK-LABEL: @featurevectorizer_rows_stay
// CHECK: onnx.ml.FeatureVectorizer(
func.func @featurevectorizer_rows_stay() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %x1 = onnx.Constant dense<[[5.0]]> : tensor<1x1xf32>
  // expected-remark @+1 {{onnx.ml.FeatureVectorizer not folded: input #1 has shape [1, 1], expected a matrix of the rows of input #0}}
  %r = onnx.ml.FeatureVectorizer(%x0, %x1) <{since = 1}> : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @featurevectorizer_sizes_stay
// CHECK: onnx.ml.FeatureVectorizer(
func.func @featurevectorizer_sizes_stay() -> tensor<2x2xf32> {
  %x0 = onnx.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.FeatureVectorizer not folded: attribute 'inputdimensions' is [1, 1], expected a size for each of 1 inputs}}
  %r = onnx.ml.FeatureVectorizer(%x0) <{since = 1}> {inputdimensions = array<i64: 1, 1>} : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @featurevectorizer_huge_stays
// CHECK: onnx.ml.FeatureVectorizer(
func.func @featurevectorizer_huge_stays() -> tensor<*xf32> {
  %x0 = onnx.Constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  // expected-remark @+1 {{onnx.ml.FeatureVectorizer not folded: the result has shape [2, 9223372036854775807], more than 1073741824 bytes}}
  %r = onnx.ml.FeatureVectorizer(%x0) <{since = 1}> {inputdimensions = array<i64: 9223372036854775807>} : (tensor<2x1xf32>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}
