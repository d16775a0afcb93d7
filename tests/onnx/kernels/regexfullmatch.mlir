// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand, from RE2's page of its syntax.

// CHECK-LABEL: @regexfullmatch_whole_element
// CHECK{LITERAL}: onnx.Constant dense<[true, false, false]> : tensor<3xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_whole_element() -> tensor<3xi1> {
  %x0 = onnx.Constant dense<["www.google.com", "a.www.google.com", ""]> : tensor<3x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "www[.].*"} : (tensor<3x!onnx.string>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_unicode
// CHECK{LITERAL}: onnx.Constant dense<[true, true, false, false]> : tensor<4xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_unicode() -> tensor<4xi1> {
  %x0 = onnx.Constant dense<["\C3\A9", "e", "1", "\D9\A3"]> : tensor<4x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "\\pL"} : (tensor<4x!onnx.string>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// So has RE2 it; Python has more.
// CHECK-LABEL: @regexfullmatch_digits_are_ascii
// CHECK{LITERAL}: onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_digits_are_ascii() -> tensor<2xi1> {
  %x0 = onnx.Constant dense<["1", "\D9\A3"]> : tensor<2x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "\\d"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_flags
// CHECK{LITERAL}: onnx.Constant dense<[[true], [false]]> : tensor<2x1xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_flags() -> tensor<2x1xi1> {
  %x0 = onnx.Constant dense<[["AB"], ["b\0A"]]> : tensor<2x1x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "(?i)ab|b."} : (tensor<2x1x!onnx.string>) -> tensor<2x1xi1>
  return %r : tensor<2x1xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_empty_pattern
// CHECK{LITERAL}: onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_empty_pattern() -> tensor<2xi1> {
  %x0 = onnx.Constant dense<["", "a"]> : tensor<2x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = ""} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// Backtracking takes 2^60 steps.
// CHECK-LABEL: @regexfullmatch_exponential_for_others
// CHECK{LITERAL}: onnx.Constant dense<false> : tensor<1xi1>
// CHECK-NEXT: return
func.func @regexfullmatch_exponential_for_others() -> tensor<1xi1> {
  %x0 = onnx.Constant dense<"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"> : tensor<1x!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "(a*)*(a|a)*c"} : (tensor<1x!onnx.string>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_scalar
// CHECK{LITERAL}: onnx.Constant dense<true> : tensor<i1>
// CHECK-NEXT: return
func.func @regexfullmatch_scalar() -> tensor<i1> {
  %x0 = onnx.Constant dense<"a"> : tensor<!onnx.string>
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "."} : (tensor<!onnx.string>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// CHECK-LABEL: @regexfullmatch_bad_pattern_stays
// CHECK: onnx.RegexFullMatch(
func.func @regexfullmatch_bad_pattern_stays() -> tensor<1xi1> {
  %x0 = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.RegexFullMatch not folded: attribute 'pattern' is not an RE2 pattern: missing ]: [}}
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "["} : (tensor<1x!onnx.string>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_back_reference_stays
// CHECK: onnx.RegexFullMatch(
func.func @regexfullmatch_back_reference_stays() -> tensor<1xi1> {
  %x0 = onnx.Constant dense<"aa"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.RegexFullMatch not folded: attribute 'pattern' is not an RE2 pattern: invalid escape sequence: \1}}
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "(a)\\1"} : (tensor<1x!onnx.string>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_large_pattern_stays
// CHECK: onnx.RegexFullMatch(
func.func @regexfullmatch_large_pattern_stays() -> tensor<1xi1> {
  %x0 = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.RegexFullMatch not folded: attribute 'pattern' is not an RE2 pattern: invalid repetition size: {1000}}}
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> {pattern = "((a{1000}){1000}){1000}"} : (tensor<1x!onnx.string>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}

// -----

// CHECK-LABEL: @regexfullmatch_no_pattern_stays
// CHECK: onnx.RegexFullMatch(
func.func @regexfullmatch_no_pattern_stays() -> tensor<1xi1> {
  %x0 = onnx.Constant dense<"a"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.RegexFullMatch not folded: there is no attribute 'pattern'}}
  %r = onnx.RegexFullMatch(%x0) <{since = 20}> : (tensor<1x!onnx.string>) -> tensor<1xi1>
  return %r : tensor<1xi1>
}
