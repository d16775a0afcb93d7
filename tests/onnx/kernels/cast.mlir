// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the rules of the specification, computed with numpy 2.4 and ml_dtypes 0.6, not
// taken from the tool.

// A double just above the middle of two f16: through float it would become the lower one (B15).
// CHECK-LABEL: @cast_f32_f16_rounds_once
// CHECK: onnx.Constant dense<[2.050000e+03, 0x7C00, 5.9604{{[0-9]+}}e-08, -0.000000e+00]> : tensor<4xf16>
// CHECK-NEXT: return
func.func @cast_f32_f16_rounds_once() -> tensor<4xf16> {
  %x = onnx.Constant dense<[2049.0000000000009, 1.000000e+05, 6.000000e-08, -0.000000e+00]> : tensor<4xf64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 10 : i64} : (tensor<4xf64>) -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// CHECK-LABEL: @cast_f64_bf16_rounds_once
// CHECK: onnx.Constant dense<1.0078{{[0-9]+}}e+00> : tensor<1xbf16>
// CHECK-NEXT: return
func.func @cast_f64_bf16_rounds_once() -> tensor<1xbf16> {
  %x = onnx.Constant dense<1.0039062500009095> : tensor<1xf64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 16 : i64} : (tensor<1xf64>) -> tensor<1xbf16>
  return %r : tensor<1xbf16>
}

// -----

// CHECK-LABEL: @cast_f32_f64
// CHECK: onnx.Constant dense<[0.1000000014901161{{[0-9]*}}, 0x7FF8000000000000]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @cast_f32_f64() -> tensor<2xf64> {
  %x = onnx.Constant dense<[1.000000e-01, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 11 : i64} : (tensor<2xf32>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// Through double it would become 2^60.
// CHECK-LABEL: @cast_i64_f32_rounds_once
// CHECK: onnx.Constant dense<[1.15292164E+18, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @cast_i64_f32_rounds_once() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1152921573326323713, -1]> : tensor<2xi64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 1 : i64} : (tensor<2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @cast_f32_i32_truncates
// CHECK: onnx.Constant dense<[2, -2, 0]> : tensor<3xi32>
// CHECK-NEXT: return
func.func @cast_f32_i32_truncates() -> tensor<3xi32> {
  %x = onnx.Constant dense<[2.900000e+00, -2.900000e+00, -0.000000e+00]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 6 : i64} : (tensor<3xf32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// B6: a later cast back must not see 300 again.
// CHECK-LABEL: @cast_i64_i8_keeps_low_bits
// CHECK: onnx.Constant dense<[44, 127, 44]> : tensor<3xi8>
// CHECK-NEXT: return
func.func @cast_i64_i8_keeps_low_bits() -> tensor<3xi8> {
  %x = onnx.Constant dense<[300, -129, 44]> : tensor<3xi64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 3 : i64} : (tensor<3xi64>) -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// -----

// CHECK-LABEL: @cast_f32_i1
// CHECK: onnx.Constant dense<[false, false, true, true]> : tensor<4xi1>
// CHECK-NEXT: return
func.func @cast_f32_i1() -> tensor<4xi1> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0x7FC00000, 5.000000e-01]> : tensor<4xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 9 : i64} : (tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

// B1: onnx-mlir aborts.
// CHECK-LABEL: @cast_i1_i64
// CHECK: onnx.Constant dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @cast_i1_i64() -> tensor<2xi64> {
  %x = onnx.Constant dense<[true, false]> : tensor<2xi1>
  %r = onnx.Cast(%x) <{since = 13}> {to = 7 : i64} : (tensor<2xi1>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @cast_f32_same_type
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @cast_f32_same_type() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @cast_i32_f32_v1
// CHECK: onnx.Constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @cast_i32_f32_v1() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1, -2]> : tensor<2xi32>
  %r = onnx.Cast(%x) <{since = 1}> {to = "FLOAT"} : (tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @cast_i32_f64_v1_unknown_name_stays
// CHECK: onnx.Cast(
func.func @cast_i32_f64_v1_unknown_name_stays() -> tensor<2xf64> {
  %x = onnx.Constant dense<[1, -2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Cast not folded: attribute 'to' is 'REAL', no element type}}
  %r = onnx.Cast(%x) <{since = 1}> {to = "REAL"} : (tensor<2xi32>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @cast_f32_i32_empty
// CHECK: onnx.Constant dense<> : tensor<0x2xi32>
// CHECK-NEXT: return
func.func @cast_f32_i32_empty() -> tensor<0x2xi32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 6 : i64} : (tensor<0x2xf32>) -> tensor<0x2xi32>
  return %r : tensor<0x2xi32>
}

// -----

// CHECK-LABEL: @cast_f32_i8_out_of_range_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i8_out_of_range_stays() -> tensor<2x2xi8> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 1.280000e+02]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1, 1] is 128, out of the range of i8}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 3 : i64} : (tensor<2x2xf32>) -> tensor<2x2xi8>
  return %r : tensor<2x2xi8>
}

// -----

// CHECK-LABEL: @cast_f32_i64_nan_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i64_nan_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is nan, out of the range of i64}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @cast_f32_i64_2_to_63_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i64_2_to_63_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[9.22337204e+18, 1.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is 9223372036854775808, out of the range of i64}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 7 : i64} : (tensor<2xf32>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @cast_f64_ui8_negative_stays
// CHECK: onnx.Cast(
func.func @cast_f64_ui8_negative_stays() -> tensor<1xui8> {
  %x = onnx.Constant dense<-1.000000e+00> : tensor<1xf64>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is -1, out of the range of u8}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 2 : i64} : (tensor<1xf64>) -> tensor<1xui8>
  return %r : tensor<1xui8>
}

// -----

// The fraction is cut off first.
// CHECK-LABEL: @cast_f64_ui8_fraction_below_zero
// CHECK: onnx.Constant dense<0> : tensor<1xui8>
// CHECK-NEXT: return
func.func @cast_f64_ui8_fraction_below_zero() -> tensor<1xui8> {
  %x = onnx.Constant dense<-9.000000e-01> : tensor<1xf64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 2 : i64} : (tensor<1xf64>) -> tensor<1xui8>
  return %r : tensor<1xui8>
}

// -----

// CHECK-LABEL: @cast_f32_f8E4M3FN
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 4.480000e+02, -4.480000e+02, 4.480000e+02, -4.480000e+02, 0x7F]> : tensor<8xf8E4M3FN>
// CHECK-NEXT: return
func.func @cast_f32_f8E4M3FN() -> tensor<8xf8E4M3FN> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 19}> {to = 17 : i64} : (tensor<8xf32>) -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}

// -----

// CHECK-LABEL: @cast_f32_f8E4M3FN_no_saturate
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 0x7F, 0xFF, 0x7F, 0xFF, 0x7F]> : tensor<8xf8E4M3FN>
// CHECK-NEXT: return
func.func @cast_f32_f8E4M3FN_no_saturate() -> tensor<8xf8E4M3FN> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 19}> {to = 17 : i64, saturate = 0 : i64} : (tensor<8xf32>) -> tensor<8xf8E4M3FN>
  return %r : tensor<8xf8E4M3FN>
}

// -----

// CHECK-LABEL: @cast_f32_f8E5M2_no_saturate
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.000000e+00, 0x7C, 0xFC, 0x7C, 0xFC, 0x7E]> : tensor<8xf8E5M2>
// CHECK-NEXT: return
func.func @cast_f32_f8E5M2_no_saturate() -> tensor<8xf8E5M2> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 24}> {to = 19 : i64, saturate = 0 : i64} : (tensor<8xf32>) -> tensor<8xf8E5M2>
  return %r : tensor<8xf8E5M2>
}

// -----

// Infinities became NaN up to version 23, as its table said; its node tests and version 24 have the largest number (B14).
// CHECK-LABEL: @cast_f32_f8E4M3FNUZ_v23_infinity
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.400000e+02, -2.400000e+02, 2.400000e+02, -2.400000e+02, 0x80]> : tensor<8xf8E4M3FNUZ>
// CHECK-NEXT: return
func.func @cast_f32_f8E4M3FNUZ_v23_infinity() -> tensor<8xf8E4M3FNUZ> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 23}> {to = 18 : i64} : (tensor<8xf32>) -> tensor<8xf8E4M3FNUZ>
  return %r : tensor<8xf8E4M3FNUZ>
}

// -----

// CHECK-LABEL: @cast_f32_f8E4M3FNUZ_v24_infinity
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 2.400000e+02, -2.400000e+02, 2.400000e+02, -2.400000e+02, 0x80]> : tensor<8xf8E4M3FNUZ>
// CHECK-NEXT: return
func.func @cast_f32_f8E4M3FNUZ_v24_infinity() -> tensor<8xf8E4M3FNUZ> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 24}> {to = 18 : i64} : (tensor<8xf32>) -> tensor<8xf8E4M3FNUZ>
  return %r : tensor<8xf8E4M3FNUZ>
}

// -----

// CHECK-LABEL: @cast_f32_f8E5M2FNUZ_v23_infinity
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 5.734400e+04, -5.734400e+04, 5.734400e+04, -5.734400e+04, 0x80]> : tensor<8xf8E5M2FNUZ>
// CHECK-NEXT: return
func.func @cast_f32_f8E5M2FNUZ_v23_infinity() -> tensor<8xf8E5M2FNUZ> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 1.060000e+00, 0x7F800000, 0xFF800000, 1.000000e+06, -1.000000e+06, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 19}> {to = 20 : i64} : (tensor<8xf32>) -> tensor<8xf8E5M2FNUZ>
  return %r : tensor<8xf8E5M2FNUZ>
}

// -----

// The table holds for casts to the same type, too.
// CHECK-LABEL: @cast_f8E5M2_same_type_saturates
// CHECK: onnx.Constant dense<[5.734400e+04, -5.734400e+04, 1.000000e+00]> : tensor<3xf8E5M2>
// CHECK-NEXT: return
func.func @cast_f8E5M2_same_type_saturates() -> tensor<3xf8E5M2> {
  %x = onnx.Constant dense<[0x7C, 0xFC, 1.000000e+00]> : tensor<3xf8E5M2>
  %r = onnx.Cast(%x) <{since = 19}> {to = 19 : i64} : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
  return %r : tensor<3xf8E5M2>
}

// -----

// CHECK-LABEL: @cast_f8E5M2_same_type_no_saturate
// CHECK: onnx.Constant dense<[0x7C, 1.000000e+00]> : tensor<2xf8E5M2>
// CHECK-NEXT: return
func.func @cast_f8E5M2_same_type_no_saturate() -> tensor<2xf8E5M2> {
  %x = onnx.Constant dense<[0x7C, 1.000000e+00]> : tensor<2xf8E5M2>
  %r = onnx.Cast(%x) <{since = 19}> {to = 19 : i64, saturate = 0 : i64} : (tensor<2xf8E5M2>) -> tensor<2xf8E5M2>
  return %r : tensor<2xf8E5M2>
}

// -----

// CHECK-LABEL: @cast_f32_f8E8M0FNU_up
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00, 5.877470e-39, 1.701410e+38, 5.877470e-39]> : tensor<6xf8E8M0FNU>
// CHECK-NEXT: return
func.func @cast_f32_f8E8M0FNU_up() -> tensor<6xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.000000e+00, 1.100000e+00, 3.000000e+00, 0.000000e+00, 0x7F800000, 1.401300e-45]> : tensor<6xf32>
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64} : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  return %r : tensor<6xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @cast_f32_f8E8M0FNU_down
// CHECK: onnx.Constant dense<[1.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf8E8M0FNU>
// CHECK-NEXT: return
func.func @cast_f32_f8E8M0FNU_down() -> tensor<3xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.000000e+00, 1.100000e+00, 3.000000e+00]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64, round_mode = "down"} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  return %r : tensor<3xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @cast_f32_f8E8M0FNU_nearest
// CHECK: onnx.Constant dense<[1.000000e+00, 2.000000e+00, 4.000000e+00]> : tensor<3xf8E8M0FNU>
// CHECK-NEXT: return
func.func @cast_f32_f8E8M0FNU_nearest() -> tensor<3xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.400000e+00, 1.500000e+00, 3.000000e+00]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 25}> {to = 24 : i64, round_mode = "nearest"} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  return %r : tensor<3xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @cast_f32_f8E8M0FNU_negative_stays
// CHECK: onnx.Cast(
func.func @cast_f32_f8E8M0FNU_negative_stays() -> tensor<2xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is -2, and f8E8M0 has no sign}}
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64} : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  return %r : tensor<2xf8E8M0FNU>
}

// -----

// The table of Cast has no column for `down` without saturation: ONNX Runtime has NaN, the evaluator 2^-127.
// CHECK-LABEL: @cast_f32_f8E8M0FNU_down_no_saturate_stays
// CHECK: onnx.Cast(
func.func @cast_f32_f8E8M0FNU_down_no_saturate_stays() -> tensor<2xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is 0, out of the range of f8E8M0, which Cast only defines for 'round_mode' nearest with 'saturate' 0}}
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64, saturate = 0 : i64, round_mode = "down"} : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  return %r : tensor<2xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @cast_f32_f8E8M0FNU_nearest_infinity_stays
// CHECK: onnx.Cast(
func.func @cast_f32_f8E8M0FNU_nearest_infinity_stays() -> tensor<1xf8E8M0FNU> {
  %x = onnx.Constant dense<0x7F800000> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is inf, out of the range of f8E8M0, which Cast only defines for 'round_mode' up with 'saturate' 1}}
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64, round_mode = "nearest"} : (tensor<1xf32>) -> tensor<1xf8E8M0FNU>
  return %r : tensor<1xf8E8M0FNU>
}

// -----

// CHECK-LABEL: @cast_f32_round_mode_stays
// CHECK: onnx.Cast(
func.func @cast_f32_round_mode_stays() -> tensor<2xf8E8M0FNU> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: attribute 'round_mode' is 'sideways', expected 'up', 'down' or 'nearest'}}
  %r = onnx.Cast(%x) <{since = 24}> {to = 24 : i64, round_mode = "sideways"} : (tensor<2xf32>) -> tensor<2xf8E8M0FNU>
  return %r : tensor<2xf8E8M0FNU>
}

// -----

// As the stored tests have it since ONNX 1.19.
// CHECK-LABEL: @cast_f32_i4_wraps
// CHECK: onnx.Constant dense<[7, -8, 6, -1]> : tensor<4xi4>
// CHECK-NEXT: return
func.func @cast_f32_i4_wraps() -> tensor<4xi4> {
  %x = onnx.Constant dense<[-9.000000e+00, 8.000000e+00, 6.000000e+00, 1.500000e+01]> : tensor<4xf32>
  %r = onnx.Cast(%x) <{since = 21}> {to = 22 : i64} : (tensor<4xf32>) -> tensor<4xi4>
  return %r : tensor<4xi4>
}

// -----

// CHECK-LABEL: @cast_f32_ui4_wraps
// CHECK: onnx.Constant dense<[7, 15, 0, 4]> : tensor<4xui4>
// CHECK-NEXT: return
func.func @cast_f32_ui4_wraps() -> tensor<4xui4> {
  %x = onnx.Constant dense<[-9.000000e+00, 1.500000e+01, 1.600000e+01, 4.000000e+00]> : tensor<4xf32>
  %r = onnx.Cast(%x) <{since = 21}> {to = 21 : i64} : (tensor<4xf32>) -> tensor<4xui4>
  return %r : tensor<4xui4>
}

// -----

// CHECK-LABEL: @cast_f32_ui2_wraps
// CHECK: onnx.Constant dense<[3, 1, 3]> : tensor<3xui2>
// CHECK-NEXT: return
func.func @cast_f32_ui2_wraps() -> tensor<3xui2> {
  %x = onnx.Constant dense<[-1.000000e+00, 5.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 25}> {to = 25 : i64} : (tensor<3xf32>) -> tensor<3xui2>
  return %r : tensor<3xui2>
}

// -----

// It was truncated: the pages of these types round to nearest even, as ONNX Runtime does beside halves.
// CHECK-LABEL: @cast_f32_i4_rounds
// CHECK: onnx.Constant dense<[2, -2, 4, 1, -1, 0, -8, 7]> : tensor<8xi4>
// CHECK-NEXT: return
func.func @cast_f32_i4_rounds() -> tensor<8xi4> {
  %x = onnx.Constant dense<[1.5, -1.5, 3.7, 0.50000006, -0.75, -0.25, -8.25, 7.25]> : tensor<8xf32>
  %r = onnx.Cast(%x) <{since = 21}> {to = 22 : i64} : (tensor<8xf32>) -> tensor<8xi4>
  return %r : tensor<8xi4>
}

// -----

// CHECK-LABEL: @cast_f64_ui2_rounds
// CHECK: onnx.Constant dense<[0, 2, 3, 0, 1]> : tensor<5xui2>
// CHECK-NEXT: return
func.func @cast_f64_ui2_rounds() -> tensor<5xui2> {
  %x = onnx.Constant dense<[-0.25, 1.5, 3.4, 0.49999999999999994, 0.5000000000000001]> : tensor<5xf64>
  %r = onnx.Cast(%x) <{since = 25}> {to = 25 : i64} : (tensor<5xf64>) -> tensor<5xui2>
  return %r : tensor<5xui2>
}

// -----

// CHECK-LABEL: @cast_bf16_i2_rounds
// CHECK: onnx.Constant dense<[-2, -1, 1]> : tensor<3xi2>
// CHECK-NEXT: return
func.func @cast_bf16_i2_rounds() -> tensor<3xi2> {
  %x = onnx.Constant dense<[-1.5, -0.75, 1.25]> : tensor<3xbf16>
  %r = onnx.Cast(%x) <{since = 25}> {to = 26 : i64} : (tensor<3xbf16>) -> tensor<3xi2>
  return %r : tensor<3xi2>
}

// -----

// The page makes it 0, ONNX Runtime 1.
// CHECK-LABEL: @cast_f32_i4_half_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i4_half_stays() -> tensor<2xi4> {
  %x = onnx.Constant dense<[1.5, 0.5]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is 0.5, which i4 rounds to even, and ONNX Runtime away from zero}}
  %r = onnx.Cast(%x) <{since = 21}> {to = 22 : i64} : (tensor<2xf32>) -> tensor<2xi4>
  return %r : tensor<2xi4>
}

// -----

// Rounded it is 8, which no page says of what is left of it.
// CHECK-LABEL: @cast_f32_i4_rounded_out_of_range_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i4_rounded_out_of_range_stays() -> tensor<1xi4> {
  %x = onnx.Constant dense<7.75> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is 7.75, out of the range of i4}}
  %r = onnx.Cast(%x) <{since = 21}> {to = 22 : i64} : (tensor<1xf32>) -> tensor<1xi4>
  return %r : tensor<1xi4>
}

// -----

// CHECK-LABEL: @cast_f32_i4_beyond_a_byte_stays
// CHECK: onnx.Cast(
func.func @cast_f32_i4_beyond_a_byte_stays() -> tensor<1xi4> {
  %x = onnx.Constant dense<2.000000e+02> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is 200, out of the range of i4}}
  %r = onnx.Cast(%x) <{since = 21}> {to = 22 : i64} : (tensor<1xf32>) -> tensor<1xi4>
  return %r : tensor<1xi4>
}

// -----

// CHECK-LABEL: @cast_f32_f4E2M1FN
// CHECK: onnx.Constant dense<[0.000000e+00, -4.000000e+00, 6.000000e+00, -0.000000e+00, 1.000000e+00]> : tensor<5xf4E2M1FN>
// CHECK-NEXT: return
func.func @cast_f32_f4E2M1FN() -> tensor<5xf4E2M1FN> {
  %x = onnx.Constant dense<[2.500000e-01, -3.500000e+00, 1.000000e+02, -0.000000e+00, 7.500000e-01]> : tensor<5xf32>
  %r = onnx.Cast(%x) <{since = 23}> {to = 23 : i64} : (tensor<5xf32>) -> tensor<5xf4E2M1FN>
  return %r : tensor<5xf4E2M1FN>
}

// -----

// CHECK-LABEL: @cast_f32_f6E2M3FN
// CHECK: onnx.Constant dense<[8.750000e-01, 7.500000e+00, -7.500000e+00]> : tensor<3xf6E2M3FN>
// CHECK-NEXT: return
func.func @cast_f32_f6E2M3FN() -> tensor<3xf6E2M3FN> {
  %x = onnx.Constant dense<[9.000000e-01, 1.000000e+02, -7.400000e+00]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 28}> {to = 27 : i64} : (tensor<3xf32>) -> tensor<3xf6E2M3FN>
  return %r : tensor<3xf6E2M3FN>
}

// -----

// CHECK-LABEL: @cast_f32_f6E3M2FN
// CHECK: onnx.Constant dense<[8.750000e-01, 2.800000e+01, -2.800000e+01]> : tensor<3xf6E3M2FN>
// CHECK-NEXT: return
func.func @cast_f32_f6E3M2FN() -> tensor<3xf6E3M2FN> {
  %x = onnx.Constant dense<[9.000000e-01, 1.000000e+02, -2.700000e+01]> : tensor<3xf32>
  %r = onnx.Cast(%x) <{since = 28}> {to = 28 : i64} : (tensor<3xf32>) -> tensor<3xf6E3M2FN>
  return %r : tensor<3xf6E3M2FN>
}

// -----

// CHECK-LABEL: @cast_string_f32
// CHECK: onnx.Constant dense<[3.140000e+00, 2.500000e+00, 0x7F800000, 0xFF800000, {{0x[7F][0-9A-F]+}}, 7.000000e+00]> : tensor<6xf32>
// CHECK-NEXT: return
func.func @cast_string_f32() -> tensor<6xf32> {
  %x = onnx.Constant dense<["3.14", "25e-1", "INF", "-inf", "NaN", "+7"]> : tensor<6x!onnx.string>
  %r = onnx.Cast(%x) <{since = 9}> {to = 1 : i64} : (tensor<6x!onnx.string>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// CHECK-LABEL: @cast_string_i32
// CHECK: onnx.Constant dense<[-12, 7]> : tensor<2xi32>
// CHECK-NEXT: return
func.func @cast_string_i32() -> tensor<2xi32> {
  %x = onnx.Constant dense<["-12", "+7"]> : tensor<2x!onnx.string>
  %r = onnx.Cast(%x) <{since = 13}> {to = 6 : i64} : (tensor<2x!onnx.string>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: @cast_string_f32_no_number_stays
// CHECK: onnx.Cast(
func.func @cast_string_f32_no_number_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<["1", "Hello"]> : tensor<2x!onnx.string>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is 'Hello', expected a number of type f32}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 1 : i64} : (tensor<2x!onnx.string>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @cast_string_i32_fraction_stays
// CHECK: onnx.Cast(
func.func @cast_string_i32_fraction_stays() -> tensor<1xi32> {
  %x = onnx.Constant dense<"2.718"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is '2.718', expected a number of type i32}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 6 : i64} : (tensor<1x!onnx.string>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// CHECK-LABEL: @cast_string_i8_out_of_range_stays
// CHECK: onnx.Cast(
func.func @cast_string_i8_out_of_range_stays() -> tensor<1xi8> {
  %x = onnx.Constant dense<"128"> : tensor<1x!onnx.string>
  // expected-remark @+1 {{onnx.Cast not folded: element [0] is '128', expected a number of type i8}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 3 : i64} : (tensor<1x!onnx.string>) -> tensor<1xi8>
  return %r : tensor<1xi8>
}

// -----

// CHECK-LABEL: @cast_i64_string
// CHECK: onnx.Constant dense<["-12", "0"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @cast_i64_string() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<[-12, 0]> : tensor<2xi64>
  %r = onnx.Cast(%x) <{since = 13}> {to = 8 : i64} : (tensor<2xi64>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @cast_f32_string_nan_stays
// CHECK: onnx.Cast(
func.func @cast_f32_string_nan_stays() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Cast not folded: element [1] is a f32 whose text is not specified}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 8 : i64} : (tensor<2xf32>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @cast_f32_complex_stays
// CHECK: onnx.Cast(
func.func @cast_f32_complex_stays() -> tensor<1xcomplex<f32>> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.Cast not folded: no kernel for these element types}}
  %r = onnx.Cast(%x) <{since = 13}> {to = 14 : i64} : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}

// -----

// A partly known integer: (batch, 3) in i64 stays what it is, so the difference is 0.
// CHECK-LABEL: @cast_i64_symbolic
// CHECK: onnx.Constant dense<0> : tensor<2xi64>
func.func @cast_i64_symbolic(%a: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %c = onnx.Cast(%s) <{since = 13}> {to = 7 : i64} : (tensor<2xi64>) -> tensor<2xi64>
  %r = onnx.Sub(%c, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @cast_i64_symbolic_i32_stays
// CHECK: onnx.Cast(
func.func @cast_i64_symbolic_i32_stays(%a: tensor<?x3xf32>) -> tensor<2xi32> {
  %s = onnx.Shape(%a) <{since = 13}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %r = onnx.Cast(%s) <{since = 13}> {to = 6 : i64} : (tensor<2xi64>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// A dimension fits 32 bits, and tf2onnx computes in these.
// CHECK-LABEL: @cast_i64_symbolic_i32_and_back
// CHECK: %[[R:.*]] = onnx.Constant dense<0> : tensor<2xi64>
// CHECK: return %[[R]]
func.func @cast_i64_symbolic_i32_and_back(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.Cast(%s) <{since = 13}> {to = 6 : i64} : (tensor<2xi64>) -> tensor<2xi32>
  %n = onnx.Cast(%m) <{since = 13}> {to = 7 : i64} : (tensor<2xi32>) -> tensor<2xi64>
  %r = onnx.Sub(%n, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// It need not fit 16.
// CHECK-LABEL: @cast_i64_symbolic_i16_and_back_stays
// CHECK: %[[R:.*]] = onnx.Sub(
// CHECK: return %[[R]]
func.func @cast_i64_symbolic_i16_and_back_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.Cast(%s) <{since = 13}> {to = 5 : i64} : (tensor<2xi64>) -> tensor<2xi16>
  %n = onnx.Cast(%m) <{since = 13}> {to = 7 : i64} : (tensor<2xi16>) -> tensor<2xi64>
  %r = onnx.Sub(%n, %s) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// 3 is true; of d nobody knows.
// CHECK-LABEL: @cast_i64_symbolic_bool
// CHECK: %[[R:.*]] = onnx.Constant dense<true> : tensor<i1>
// CHECK: return %[[R]]
func.func @cast_i64_symbolic_bool(%x: tensor<?x3xf32>) -> tensor<i1> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %m = onnx.Cast(%s) <{since = 13}> {to = 9 : i64} : (tensor<2xi64>) -> tensor<2xi1>
  %i = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Gather(%m, %i) <{since = 13}> : (tensor<2xi1>, tensor<i64>) -> tensor<i1>
  return %r : tensor<i1>
}

// -----

// As in the table and the evaluator.
// CHECK-LABEL: @cast_f32_f8E4M3FN_unsaturated
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7F]> : tensor<2xf8E4M3FN>
// CHECK-NEXT: return
func.func @cast_f32_f8E4M3FN_unsaturated() -> tensor<2xf8E4M3FN> {
  %x = onnx.Constant dense<[1.000000e+00, 4.800000e+02]> : tensor<2xf32>
  %r = onnx.Cast(%x) <{since = 19}> {to = 17 : i64, saturate = 0 : i64} : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  return %r : tensor<2xf8E4M3FN>
}

// -----

// As in the table and the evaluator.
// CHECK-LABEL: @cast_f32_f8E5M2_unsaturated
// CHECK: onnx.Constant dense<[1.000000e+00, 0x7C]> : tensor<2xf8E5M2>
// CHECK-NEXT: return
func.func @cast_f32_f8E5M2_unsaturated() -> tensor<2xf8E5M2> {
  %x = onnx.Constant dense<[1.000000e+00, 6.144000e+04]> : tensor<2xf32>
  %r = onnx.Cast(%x) <{since = 19}> {to = 19 : i64, saturate = 0 : i64} : (tensor<2xf32>) -> tensor<2xf8E5M2>
  return %r : tensor<2xf8E5M2>
}

// -----

// As the evaluator has it.
// CHECK-LABEL: @cast_f32_text
// CHECK: onnx.Constant dense<["1.5", "1.0"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @cast_f32_text() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<[1.500000e+00, 1.000000e+00]> : tensor<2xf32>
  %r = onnx.Cast(%x) <{since = 13}> {to = 8 : i64} : (tensor<2xf32>) -> tensor<2x!onnx.string>
  return %r : tensor<2x!onnx.string>
}

// -----

// As the evaluator has it.
// CHECK-LABEL: @cast_f16_text
// CHECK: onnx.Constant dense<"0.1001"> : tensor<1x!onnx.string>
// CHECK-NEXT: return
func.func @cast_f16_text() -> tensor<1x!onnx.string> {
  %x = onnx.Constant dense<1.000980e-01> : tensor<1xf16>
  %r = onnx.Cast(%x) <{since = 13}> {to = 8 : i64} : (tensor<1xf16>) -> tensor<1x!onnx.string>
  return %r : tensor<1x!onnx.string>
}
