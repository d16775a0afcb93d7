// RUN: fold-opt %s --onnx-clean-up=disable=cast-chain --split-input-file | FileCheck %s

// Cast(Cast(x, wider), type of x) = x
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @cast_f16_f32_f16
// CHECK: onnx.Custom(%arg0)
func.func @cast_f16_f32_f16(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xf16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 10 : i64}
    : (tensor<?xf32>) -> tensor<?xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_bf16_f32_bf16
// CHECK: onnx.Custom(%arg0)
func.func @cast_bf16_f32_bf16(%x: tensor<?xbf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xbf16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 16 : i64}
    : (tensor<?xf32>) -> tensor<?xbf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xbf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f32_f64_f32
// CHECK: onnx.Custom(%arg0)
func.func @cast_f32_f64_f32(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 1 : i64}
    : (tensor<?xf64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f16_f64_f16
// CHECK: onnx.Custom(%arg0)
func.func @cast_f16_f64_f16(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 11 : i64}
    : (tensor<?xf16>) -> tensor<?xf64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 10 : i64}
    : (tensor<?xf64>) -> tensor<?xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i32_i64_i32
// CHECK: onnx.Custom(%arg0)
func.func @cast_i32_i64_i32(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 7 : i64}
    : (tensor<?xi32>) -> tensor<?xi64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 6 : i64}
    : (tensor<?xi64>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui8_i16_ui8
// CHECK: onnx.Custom(%arg0)
func.func @cast_ui8_i16_ui8(%x: tensor<?xui8>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 5 : i64}
    : (tensor<?xui8>) -> tensor<?xi16>
  %y = onnx.Cast(%a) <{since = 19}> {to = 2 : i64}
    : (tensor<?xi16>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui32_i64_ui32
// CHECK: onnx.Custom(%arg0)
func.func @cast_ui32_i64_ui32(%x: tensor<?xui32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 7 : i64}
    : (tensor<?xui32>) -> tensor<?xi64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 12 : i64}
    : (tensor<?xi64>) -> tensor<?xui32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i16_f32_i16
// CHECK: onnx.Custom(%arg0)
func.func @cast_i16_f32_i16(%x: tensor<?xi16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xi16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 5 : i64}
    : (tensor<?xf32>) -> tensor<?xi16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i32_f64_i32
// CHECK: onnx.Custom(%arg0)
func.func @cast_i32_f64_i32(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 11 : i64}
    : (tensor<?xi32>) -> tensor<?xf64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 6 : i64}
    : (tensor<?xf64>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i1_i32_i1
// CHECK: onnx.Custom(%arg0)
func.func @cast_i1_i32_i1(%x: tensor<?xi1>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 6 : i64}
    : (tensor<?xi1>) -> tensor<?xi32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 9 : i64}
    : (tensor<?xi32>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i1_f16_i1
// CHECK: onnx.Custom(%arg0)
func.func @cast_i1_f16_i1(%x: tensor<?xi1>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 10 : i64}
    : (tensor<?xi1>) -> tensor<?xf16>
  %y = onnx.Cast(%a) <{since = 19}> {to = 9 : i64}
    : (tensor<?xf16>) -> tensor<?xi1>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi1>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui4_i8_ui4
// CHECK: onnx.Custom(%arg0)
func.func @cast_ui4_i8_ui4(%x: tensor<?xui4>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 21}> {to = 3 : i64}
    : (tensor<?xui4>) -> tensor<?xi8>
  %y = onnx.Cast(%a) <{since = 21}> {to = 21 : i64}
    : (tensor<?xi8>) -> tensor<?xui4>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui4>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i64_i32_i64_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i64_i32_i64_stays(%x: tensor<?xi64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 6 : i64}
    : (tensor<?xi64>) -> tensor<?xi32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 7 : i64}
    : (tensor<?xi32>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f32_f16_f32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f32_f16_f32_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 10 : i64}
    : (tensor<?xf32>) -> tensor<?xf16>
  %y = onnx.Cast(%a) <{since = 19}> {to = 1 : i64}
    : (tensor<?xf16>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui8_i8_ui8_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_ui8_i8_ui8_stays(%x: tensor<?xui8>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 3 : i64}
    : (tensor<?xui8>) -> tensor<?xi8>
  %y = onnx.Cast(%a) <{since = 19}> {to = 2 : i64}
    : (tensor<?xi8>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i8_ui8_i8_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i8_ui8_i8_stays(%x: tensor<?xi8>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 2 : i64}
    : (tensor<?xi8>) -> tensor<?xui8>
  %y = onnx.Cast(%a) <{since = 19}> {to = 3 : i64}
    : (tensor<?xui8>) -> tensor<?xi8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f32_bf16_f32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f32_bf16_f32_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 16 : i64}
    : (tensor<?xf32>) -> tensor<?xbf16>
  %y = onnx.Cast(%a) <{since = 19}> {to = 1 : i64}
    : (tensor<?xbf16>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// f32 has 24 bits.
// CHECK-LABEL: @cast_i32_f32_i32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i32_f32_i32_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xi32>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 6 : i64}
    : (tensor<?xf32>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// f64 has 53 bits.
// CHECK-LABEL: @cast_i64_f64_i64_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i64_f64_i64_stays(%x: tensor<?xi64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 11 : i64}
    : (tensor<?xi64>) -> tensor<?xf64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 7 : i64}
    : (tensor<?xf64>) -> tensor<?xi64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f64_f32_f64_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f64_f32_f64_stays(%x: tensor<?xf64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xf64>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f16_bf16_f16_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f16_bf16_f16_stays(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 16 : i64}
    : (tensor<?xf16>) -> tensor<?xbf16>
  %y = onnx.Cast(%a) <{since = 19}> {to = 10 : i64}
    : (tensor<?xbf16>) -> tensor<?xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf16>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui64_i64_ui64_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_ui64_i64_ui64_stays(%x: tensor<?xui64>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 7 : i64}
    : (tensor<?xui64>) -> tensor<?xi64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 13 : i64}
    : (tensor<?xi64>) -> tensor<?xui64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i32_i1_i32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i32_i1_i32_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 9 : i64}
    : (tensor<?xi32>) -> tensor<?xi1>
  %y = onnx.Cast(%a) <{since = 19}> {to = 6 : i64}
    : (tensor<?xi1>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_f32_i64_f32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f32_i64_f32_stays(%x: tensor<?xf32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 7 : i64}
    : (tensor<?xf32>) -> tensor<?xi64>
  %y = onnx.Cast(%a) <{since = 19}> {to = 1 : i64}
    : (tensor<?xi64>) -> tensor<?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_ui8_i1_ui8_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_ui8_i1_ui8_stays(%x: tensor<?xui8>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 9 : i64}
    : (tensor<?xui8>) -> tensor<?xi1>
  %y = onnx.Cast(%a) <{since = 19}> {to = 2 : i64}
    : (tensor<?xi1>) -> tensor<?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_i32_string_i32_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_i32_string_i32_stays(%x: tensor<?xi32>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 8 : i64}
    : (tensor<?xi32>) -> tensor<?x!onnx.string>
  %y = onnx.Cast(%a) <{since = 19}> {to = 6 : i64}
    : (tensor<?x!onnx.string>) -> tensor<?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// The cast back may saturate.
// CHECK-LABEL: @cast_f8e4m3fn_f32_f8e4m3fn_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_f8e4m3fn_f32_f8e4m3fn_stays(%x: tensor<?xf8E4M3FN>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 19}> {to = 1 : i64}
    : (tensor<?xf8E4M3FN>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 19}> {to = 17 : i64}
    : (tensor<?xf32>) -> tensor<?xf8E4M3FN>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf8E4M3FN>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cast_to_a_third_type_stays
// CHECK: onnx.Cast(
// CHECK: %[[Y:.*]] = onnx.Cast(
// CHECK: onnx.Custom(%[[Y]])
func.func @cast_to_a_third_type_stays(%x: tensor<?xf16>) -> tensor<1xf32> {
  %a = onnx.Cast(%x) <{since = 13}> {to = 1 : i64}
    : (tensor<?xf16>) -> tensor<?xf32>
  %y = onnx.Cast(%a) <{since = 13}> {to = 11 : i64}
    : (tensor<?xf32>) -> tensor<?xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?xf64>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
