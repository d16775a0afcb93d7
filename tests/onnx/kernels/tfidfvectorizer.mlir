// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, from the operator's text.

// Distances 1 to 3; single tokens count once. 5 6 is at 0 1 and at 2 4.
// CHECK-LABEL: @tfidfvectorizer_skips
// CHECK{LITERAL}: onnx.Constant dense<[2.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @tfidfvectorizer_skips() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_idf
// CHECK{LITERAL}: onnx.Constant dense<[5.000000e-01, 2.500000e-01, 4.000000e+00, 8.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @tfidfvectorizer_idf() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "IDF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>, weights = array<f32: 0.5, 0.25, 4.0, 8.0>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The reference evaluator takes weight 0 for column 0.
// CHECK-LABEL: @tfidfvectorizer_weights_belong_to_ngrams
// CHECK{LITERAL}: onnx.Constant dense<[8.000000e+00, 4.000000e+00, 5.000000e-01, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return
func.func @tfidfvectorizer_weights_belong_to_ngrams() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TFIDF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 3, 2, 1, 0>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>, weights = array<f32: 0.5, 0.25, 4.0, 8.0>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_idf_one_column_for_two_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_idf_one_column_for_two_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: two n-grams have column 0}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "IDF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 0, 1, 1>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_twice_in_the_pool_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_twice_in_the_pool_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: the pool has n-gram 1 twice}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 5, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_both_pools_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_both_pools_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: expected one of the attributes 'pool_int64s' and 'pool_strings'}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>, pool_strings = ["a"]} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_other_type_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_other_type_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: the input has type str and shape [1], expected the type of the pool and [C] or [N, C]}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<1x!onnx.string>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_cut_pool_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_cut_pool_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: attribute 'ngram_counts' does not cut the pool into n-grams of length 2}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_few_columns_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_few_columns_stays() -> tensor<3xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: there are 4 n-grams and 3 of attribute 'ngram_indexes'}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_negative_column_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_negative_column_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: attribute 'ngram_indexes' is empty or names no column}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, -3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_lengths_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_lengths_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: the lengths 1 to 3 with 0 skips do not fit n-grams of 2 lengths}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 3 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_weights_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_weights_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: there are 1 weights, expected 4}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TFIDF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>, weights = array<f32: 0.5>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_large_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_large_stays() -> tensor<?xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: the result has shape [4611686018427387905], more than 1073741824 bytes}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 4611686018427387904>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @tfidfvectorizer_mode_stays
// CHECK: onnx.TfIdfVectorizer(
func.func @tfidfvectorizer_mode_stays() -> tensor<4xf32> {
  %x0 = onnx.Constant dense<[5, 6, 5, 9, 6]> : tensor<5xi64>
  // expected-remark @+1 {{onnx.TfIdfVectorizer not folded: attribute 'mode' is 'DF', expected TF, IDF or TFIDF}}
  %r = onnx.TfIdfVectorizer(%x0) <{since = 9}> {max_gram_length = 2 : i64, min_gram_length = 1 : i64, max_skip_count = 0 : i64, mode = "DF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 5, 6, 5, 6, 6, 5>} : (tensor<5xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
