// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the bit patterns of IEEE 754, by hand.

// CHECK-LABEL: @bitcast_f32_to_i32
// CHECK{LITERAL}: onnx.Constant dense<[[1065353216, -2147483648], [-8388608, 0]]> : tensor<2x2xi32>
// CHECK-NEXT: return
func.func @bitcast_f32_to_i32() -> tensor<2x2xi32> {
  %x = onnx.Constant dense<[[1.000000e+00, -0.000000e+00], [0xFF800000, 0.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 6 : i64} : (tensor<2x2xf32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: @bitcast_i64_to_f64
// CHECK: onnx.Constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @bitcast_i64_to_f64() -> tensor<2xf64> {
  %x = onnx.Constant dense<[4607182418800017408, -9223372036854775808]> : tensor<2xi64>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 11 : i64} : (tensor<2xi64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @bitcast_i8_to_u8
// CHECK: onnx.Constant dense<[255, 127]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @bitcast_i8_to_u8() -> tensor<2xui8> {
  %x = onnx.Constant dense<[-1, 127]> : tensor<2xi8>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 2 : i64} : (tensor<2xi8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @bitcast_u8_to_bool
// CHECK: onnx.Constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return
func.func @bitcast_u8_to_bool() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 0]> : tensor<2xui8>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 9 : i64} : (tensor<2xui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @bitcast_same_type
// CHECK: onnx.Constant dense<3.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return
func.func @bitcast_same_type() -> tensor<1xf32> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 1 : i64} : (tensor<1xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bitcast_scalar
// CHECK: onnx.Constant dense<1065353216> : tensor<ui32>
// CHECK-NEXT: return
func.func @bitcast_scalar() -> tensor<ui32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 12 : i64} : (tensor<f32>) -> tensor<ui32>
  return %r : tensor<ui32>
}

// -----

// CHECK-LABEL: @bitcast_u8_2_to_bool_stays
// CHECK: onnx.BitCast(
func.func @bitcast_u8_2_to_bool_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.BitCast not folded: element [1] is neither 0 nor 1, the bits of a bool}}
  %r = onnx.BitCast(%x) <{since = 26}> {to = 9 : i64} : (tensor<2xui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @bitcast_of_another_width_stays
// CHECK: onnx.BitCast(
func.func @bitcast_of_another_width_stays() -> tensor<*xi64> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.BitCast not folded: the input has type f32 of 32 bits, i64 has 64}}
  %r = onnx.BitCast(%x) <{since = 26}> {to = 7 : i64} : (tensor<1xf32>) -> tensor<*xi64>
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @bitcast_to_strings_stays
// CHECK: onnx.BitCast(
func.func @bitcast_to_strings_stays() -> tensor<*x!onnx.string> {
  %x = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.BitCast not folded: attribute 'to' is 8, the number of no element type of fixed width}}
  %r = onnx.BitCast(%x) <{since = 26}> {to = 8 : i64} : (tensor<1xf32>) -> tensor<*x!onnx.string>
  return %r : tensor<*x!onnx.string>
}

// -----

// A signalling NaN stays what it is.
// CHECK-LABEL: @bitcast_i32_to_f32_keeps_every_bit
// CHECK: onnx.Constant dense<[0x7FA00001, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @bitcast_i32_to_f32_keeps_every_bit() -> tensor<2xf32> {
  %x = onnx.Constant dense<[2141192193, 1065353216]> : tensor<2xi32>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 1 : i64} : (tensor<2xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// 1.0 is 0x3f800000, 2.0 0x40000000; the imaginary part lies above.
// CHECK-LABEL: @bitcast_c64_to_i64
// CHECK: onnx.Constant dense<4611686019492741120> : tensor<1xi64>
// CHECK-NEXT: return
func.func @bitcast_c64_to_i64() -> tensor<1xi64> {
  %x = onnx.Constant dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 7 : i64} : (tensor<1xcomplex<f32>>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

// CHECK-LABEL: @bitcast_f8e4m3fn_to_u8
// CHECK: onnx.Constant dense<[56, 255]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @bitcast_f8e4m3fn_to_u8() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.000000e+00, 0xFF]> : tensor<2xf8E4M3FN>
  %r = onnx.BitCast(%x) <{since = 26}> {to = 2 : i64} : (tensor<2xf8E4M3FN>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}
