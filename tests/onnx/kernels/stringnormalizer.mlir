// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, from the operator's text.

// CHECK-LABEL: @stringnormalizer_no_stopwords
// CHECK{LITERAL}: onnx.Constant dense<["monday", "tuesday", "Wednesday"]> : tensor<3x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_no_stopwords() -> tensor<3x!onnx.string> {
  %x0 = onnx.Constant dense<["monday", "tuesday", "Wednesday"]> : tensor<3x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> : (tensor<3x!onnx.string>) -> tensor<3x!onnx.string>
  return %r : tensor<3x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_insensitive
// CHECK{LITERAL}: onnx.Constant dense<["monday", "tuesday"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_insensitive() -> tensor<2x!onnx.string> {
  %x0 = onnx.Constant dense<["monday", "tuesday", "Wednesday"]> : tensor<3x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {stopwords = ["WEDNESDAY"]} : (tensor<3x!onnx.string>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_lower
// CHECK{LITERAL}: onnx.Constant dense<[["a1_z", "b"]]> : tensor<1x2x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_lower() -> tensor<1x2x!onnx.string> {
  %x0 = onnx.Constant dense<[["A1_z", "B"]]> : tensor<1x2x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {case_change_action = "LOWER", locale = "en_US"} : (tensor<1x2x!onnx.string>) -> tensor<1x2x!onnx.string>
  return %r : tensor<1x2x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_nothing_left
// CHECK{LITERAL}: onnx.Constant dense<""> : tensor<1x1x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_nothing_left() -> tensor<1x1x!onnx.string> {
  %x0 = onnx.Constant dense<[["a", "A"]]> : tensor<1x2x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {stopwords = ["a"]} : (tensor<1x2x!onnx.string>) -> tensor<1x1x!onnx.string>
  return %r : tensor<1x1x!onnx.string>
}

// -----

// The reference evaluator drops them.
// CHECK-LABEL: @stringnormalizer_empty_elements_stay
// CHECK{LITERAL}: onnx.Constant dense<["", "a"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_empty_elements_stay() -> tensor<2x!onnx.string> {
  %x0 = onnx.Constant dense<["", "a"]> : tensor<2x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> : (tensor<2x!onnx.string>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// The reference evaluator looks into them.
// CHECK-LABEL: @stringnormalizer_only_whole_elements
// CHECK{LITERAL}: onnx.Constant dense<["monday x", "x"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_only_whole_elements() -> tensor<2x!onnx.string> {
  %x0 = onnx.Constant dense<["monday x", "x"]> : tensor<2x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {stopwords = ["monday"], is_case_sensitive = 1 : i64} : (tensor<2x!onnx.string>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// The reference evaluator removes accents.
// CHECK-LABEL: @stringnormalizer_accents_stay
// CHECK{LITERAL}: onnx.Constant dense<"\C3\89t\C3\A9"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @stringnormalizer_accents_stay() -> tensor<1x!onnx.string> {
  %x0 = onnx.Constant dense<["\C3\89t\C3\A9", "a"]> : tensor<2x!onnx.string>
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {stopwords = ["a"], is_case_sensitive = 1 : i64} : (tensor<2x!onnx.string>) -> tensor<1x!onnx.string>
  return %r : tensor<1x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_case_of_accents_stays
// CHECK: onnx.StringNormalizer(
func.func @stringnormalizer_case_of_accents_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<"\C3\89t\C3\A9"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.StringNormalizer not folded: the case of letters beyond ASCII depends on the environment}}
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {case_change_action = "LOWER"} : (tensor<1x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_stopword_beyond_ascii_stays
// CHECK: onnx.StringNormalizer(
func.func @stringnormalizer_stopword_beyond_ascii_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.StringNormalizer not folded: the case of letters beyond ASCII depends on the environment}}
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {stopwords = ["é"]} : (tensor<1x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_turkish_stays
// CHECK: onnx.StringNormalizer(
func.func @stringnormalizer_turkish_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<"i"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.StringNormalizer not folded: the case of letters depends on the locale}}
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {case_change_action = "UPPER", locale = "tr_TR"} : (tensor<1x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_action_stays
// CHECK: onnx.StringNormalizer(
func.func @stringnormalizer_action_stays() -> tensor<?x!onnx.string> {
  %x0 = onnx.Constant dense<"i"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.StringNormalizer not folded: attribute 'case_change_action' is 'Upper', expected LOWER, UPPER or NONE}}
  %r = onnx.StringNormalizer(%x0) <{since = 10}> {case_change_action = "Upper"} : (tensor<1x!onnx.string>) -> tensor<?x!onnx.string>
  return %r : tensor<?x!onnx.string>
}

// -----

// CHECK-LABEL: @stringnormalizer_two_rows_stays
// CHECK: onnx.StringNormalizer(
func.func @stringnormalizer_two_rows_stays() -> tensor<?x?x!onnx.string> {
  %x0 = onnx.Constant dense<[["a"], ["b"]]> : tensor<2x1x!onnx.string>
  // expected-remark @+1 {{onnx.StringNormalizer not folded: the input has shape [2, 1], expected [C] or [1, C] with C > 0}}
  %r = onnx.StringNormalizer(%x0) <{since = 10}> : (tensor<2x1x!onnx.string>) -> tensor<?x?x!onnx.string>
  return %r : tensor<?x?x!onnx.string>
}
