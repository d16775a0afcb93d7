// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the rules of the specification, computed with numpy 2.4 and ml_dtypes 0.6, not
// taken from the tool. The rules are Cast's, where they are tested; here: where the type comes from.

// CHECK-LABEL: @castlike_i64_f32_empty_type
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @castlike_i64_f32_empty_type() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %y = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.CastLike(%x, %y) <{since = 25}> : (tensor<2xi64>, tensor<0xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Only the type of input #1 counts, so it may be unknown.
// CHECK-LABEL: @castlike_f32_dynamic_type
// CHECK: onnx.Constant dense<[1, 2]> : tensor<2xi8>
// CHECK-NEXT: return
func.func @castlike_f32_dynamic_type(%t: tensor<?xi8>) -> tensor<2xi8> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r = onnx.CastLike(%x, %t) <{since = 19}> : (tensor<2xf32>, tensor<?xi8>) -> tensor<2xi8>
  return %r : tensor<2xi8>
}

// -----

// The attribute counts (onnxscript dropped it).
// CHECK-LABEL: @castlike_f32_f8E4M3FN_no_saturate
// CHECK: onnx.Constant dense<[0x7F, 1.000000e+00]> : tensor<2xf8E4M3FN>
// CHECK-NEXT: return
func.func @castlike_f32_f8E4M3FN_no_saturate() -> tensor<2xf8E4M3FN> {
  %x = onnx.Constant dense<[1.000000e+06, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f8E4M3FN>
  %r = onnx.CastLike(%x, %y) <{since = 19}> {saturate = 0 : i64} : (tensor<2xf32>, tensor<f8E4M3FN>) -> tensor<2xf8E4M3FN>
  return %r : tensor<2xf8E4M3FN>
}

// -----

// CHECK-LABEL: @castlike_f32_f8E4M3FNUZ_v23_infinity
// CHECK: onnx.Constant dense<[2.400000e+02, 1.000000e+00]> : tensor<2xf8E4M3FNUZ>
// CHECK-NEXT: return
func.func @castlike_f32_f8E4M3FNUZ_v23_infinity() -> tensor<2xf8E4M3FNUZ> {
  %x = onnx.Constant dense<[0x7F800000, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f8E4M3FNUZ>
  %r = onnx.CastLike(%x, %y) <{since = 23}> : (tensor<2xf32>, tensor<f8E4M3FNUZ>) -> tensor<2xf8E4M3FNUZ>
  return %r : tensor<2xf8E4M3FNUZ>
}

// -----

// CHECK-LABEL: @castlike_f32_f8E8M0FNU_down
// CHECK: onnx.Constant dense<2.000000e+00> : tensor<1xf8E8M0FNU>
// CHECK-NEXT: return
func.func @castlike_f32_f8E8M0FNU_down() -> tensor<1xf8E8M0FNU> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %y = onnx.Constant dense<1.000000e+00> : tensor<f8E8M0FNU>
  %r = onnx.CastLike(%x, %y) <{since = 24}> {round_mode = "down"} : (tensor<1xf32>, tensor<f8E8M0FNU>) -> tensor<1xf8E8M0FNU>
  return %r : tensor<1xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @castlike_string_f32
// CHECK: onnx.Constant dense<[5.000000e-01, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @castlike_string_f32() -> tensor<2xf32> {
  %x = onnx.Constant dense<["0.5", "2"]> : tensor<2x!onnx.string>
  %y = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %r = onnx.CastLike(%x, %y) <{since = 15}> : (tensor<2x!onnx.string>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @castlike_f32_i8_out_of_range_stays
// CHECK: onnx.CastLike(
func.func @castlike_f32_i8_out_of_range_stays() -> tensor<1xi8> {
  %x = onnx.Constant dense<1.280000e+02> : tensor<1xf32>
  %y = onnx.Constant dense<0> : tensor<1xi8>
  // expected-remark @+1 {{onnx.CastLike not folded: element [0] is 128, out of the range of i8}}
  %r = onnx.CastLike(%x, %y) <{since = 21}> : (tensor<1xf32>, tensor<1xi8>) -> tensor<1xi8>
  return %r : tensor<1xi8>
}
