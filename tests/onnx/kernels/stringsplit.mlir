// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand; Python's str.split gives the same but where it says so.

// CHECK-LABEL: @stringsplit_delimiter
// CHECK{LITERAL}: onnx.Constant dense<[["a", "b", ""], ["c", "", ""], ["", "d", ""]]> : tensor<3x3x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<[2, 1, 3]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @stringsplit_delimiter() -> (tensor<3x3x!onnx.string>, tensor<3xi64>) {
  %x0 = onnx.Constant dense<["a.b", "c", ".d."]> : tensor<3x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> {delimiter = "."} : (tensor<3x!onnx.string>) -> (tensor<3x3x!onnx.string>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3x3x!onnx.string>, tensor<3xi64>
}

// -----

// CHECK-LABEL: @stringsplit_long_delimiter
// CHECK{LITERAL}: onnx.Constant dense<[["", "", "a"], ["", "", ""], ["ab", "", ""]]> : tensor<3x3x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<[3, 2, 1]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @stringsplit_long_delimiter() -> (tensor<3x3x!onnx.string>, tensor<3xi64>) {
  %x0 = onnx.Constant dense<["aaaaa", "aa", "ab"]> : tensor<3x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> {delimiter = "aa"} : (tensor<3x!onnx.string>) -> (tensor<3x3x!onnx.string>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3x3x!onnx.string>, tensor<3xi64>
}

// -----

// CHECK-LABEL: @stringsplit_empty_delimiter
// CHECK{LITERAL}: onnx.Constant dense<[[["x", "y"]], [["z", ""]]]> : tensor<2x1x2x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<[[2], [1]]> : tensor<2x1xi64>
// CHECK-NEXT: return
func.func @stringsplit_empty_delimiter() -> (tensor<2x1x2x!onnx.string>, tensor<2x1xi64>) {
  %x0 = onnx.Constant dense<[["x y"], ["z"]]> : tensor<2x1x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> {delimiter = ""} : (tensor<2x1x!onnx.string>) -> (tensor<2x1x2x!onnx.string>, tensor<2x1xi64>)
  return %r#0, %r#1 : tensor<2x1x2x!onnx.string>, tensor<2x1xi64>
}

// -----

// It was divided there: for ONNX Runtime only the space divides.
// CHECK-LABEL: @stringsplit_unicode_whitespace_stays
// CHECK: onnx.StringSplit(
func.func @stringsplit_unicode_whitespace_stays() -> (tensor<1x?x!onnx.string>, tensor<1xi64>) {
  %x0 = onnx.Constant dense<"a\C2\A0b\E3\80\80c\C3\A9\E2\80\83"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.StringSplit not folded: element [0] has whitespace that is none in ONNX Runtime, which knows the space alone}}
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> : (tensor<1x!onnx.string>) -> (tensor<1x?x!onnx.string>, tensor<1xi64>)
  return %r#0, %r#1 : tensor<1x?x!onnx.string>, tensor<1xi64>
}

// -----

// CHECK-LABEL: @stringsplit_spaces
// CHECK{LITERAL}: onnx.Constant dense<[["a", "b", "c\C3\A9"]]> : tensor<1x3x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<3> : tensor<1xi64>
// CHECK-NEXT: return
func.func @stringsplit_spaces() -> (tensor<1x3x!onnx.string>, tensor<1xi64>) {
  %x0 = onnx.Constant dense<" a b  c\C3\A9 "> : tensor<1x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> : (tensor<1x!onnx.string>) -> (tensor<1x3x!onnx.string>, tensor<1xi64>)
  return %r#0, %r#1 : tensor<1x3x!onnx.string>, tensor<1xi64>
}

// -----

// Whitespace at the end is removed, as the text has it; Python keeps it.
// CHECK-LABEL: @stringsplit_whitespace_maxsplit
// CHECK{LITERAL}: onnx.Constant dense<[["a", "b  c"]]> : tensor<1x2x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<2> : tensor<1xi64>
// CHECK-NEXT: return
func.func @stringsplit_whitespace_maxsplit() -> (tensor<1x2x!onnx.string>, tensor<1xi64>) {
  %x0 = onnx.Constant dense<" a b  c  "> : tensor<1x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> {maxsplit = 1 : i64} : (tensor<1x!onnx.string>) -> (tensor<1x2x!onnx.string>, tensor<1xi64>)
  return %r#0, %r#1 : tensor<1x2x!onnx.string>, tensor<1xi64>
}

// -----

// It was folded to one part, which is none in ONNX Runtime.
// CHECK-LABEL: @stringsplit_empty_element_stays
// CHECK: onnx.StringSplit(
func.func @stringsplit_empty_element_stays() -> (tensor<2x?x!onnx.string>, tensor<2xi64>) {
  %x0 = onnx.Constant dense<["a", ""]> : tensor<2x!onnx.string>
  // expected-remark @+1 {{onnx.StringSplit not folded: element [1] is empty: it has one part, or none as in ONNX Runtime}}
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> {delimiter = ","} : (tensor<2x!onnx.string>) -> (tensor<2x?x!onnx.string>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2x?x!onnx.string>, tensor<2xi64>
}

// -----

// Without a delimiter all agree: an empty element has no words.
// CHECK-LABEL: @stringsplit_empty_element_without_words
// CHECK{LITERAL}: onnx.Constant dense<[["a"], [""]]> : tensor<2x1x!onnx.string>
// CHECK{LITERAL}: onnx.Constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @stringsplit_empty_element_without_words() -> (tensor<2x1x!onnx.string>, tensor<2xi64>) {
  %x0 = onnx.Constant dense<["a", ""]> : tensor<2x!onnx.string>
  %r:2 = onnx.StringSplit(%x0) <{since = 20}> : (tensor<2x!onnx.string>) -> (tensor<2x1x!onnx.string>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2x1x!onnx.string>, tensor<2xi64>
}
