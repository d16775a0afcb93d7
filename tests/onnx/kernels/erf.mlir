// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: math.erf of Python (double), rounded once to the type; f64 is within 1 ulp.
// Integers as the reference evaluator has them: erf(x) rounded to f32, fraction cut off.

// CHECK-LABEL: @erf_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.52049988{{[0-9]*}}, -0.92290014{{[0-9]*}}, 1.000000e+00, 1.000000e+00, -1.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @erf_f32_special() -> tensor<8xf32> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 5.000000e-01, -1.250000e+00, 1.000000e+01, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Erf(%x) <{since = 13}> : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @erf_f64
// CHECK: onnx.Constant dense<[0.520499877813046{{[0-9]*}}, -1.000000e+00]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @erf_f64() -> tensor<2xf64> {
  %x = onnx.Constant dense<[5.000000e-01, 0xFFF0000000000000]> : tensor<2xf64>
  %r = onnx.Erf(%x) <{since = 9}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @erf_f16
// CHECK: onnx.Constant dense<[5.2050{{[0-9]+}}e-01, 9.2285{{[0-9]+}}e-01]> : tensor<2xf16>
// CHECK-NEXT: return
func.func @erf_f16() -> tensor<2xf16> {
  %x = onnx.Constant dense<[5.000000e-01, 1.250000e+00]> : tensor<2xf16>
  %r = onnx.Erf(%x) <{since = 9}> : (tensor<2xf16>) -> tensor<2xf16>
  return %r : tensor<2xf16>
}

// -----

// CHECK-LABEL: @erf_bf16
// CHECK: onnx.Constant dense<[5.1953{{[0-9]+}}e-01, 9.218750e-01]> : tensor<2xbf16>
// CHECK-NEXT: return
func.func @erf_bf16() -> tensor<2xbf16> {
  %x = onnx.Constant dense<[5.000000e-01, 1.250000e+00]> : tensor<2xbf16>
  %r = onnx.Erf(%x) <{since = 13}> : (tensor<2xbf16>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: @erf_i32_v9
// CHECK: onnx.Constant dense<[-1, -1, 0, 0, 0, 1]> : tensor<6xi32>
// CHECK-NEXT: return
func.func @erf_i32_v9() -> tensor<6xi32> {
  %x = onnx.Constant dense<[-5, -4, -3, 0, 3, 4]> : tensor<6xi32>
  %r = onnx.Erf(%x) <{since = 9}> : (tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// -----

// CHECK-LABEL: @erf_ui8_v9
// CHECK: onnx.Constant dense<[0, 0, 1, 1]> : tensor<4xui8>
// CHECK-NEXT: return
func.func @erf_ui8_v9() -> tensor<4xui8> {
  %x = onnx.Constant dense<[0, 3, 4, 255]> : tensor<4xui8>
  %r = onnx.Erf(%x) <{since = 9}> : (tensor<4xui8>) -> tensor<4xui8>
  return %r : tensor<4xui8>
}
