// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. Integers are computed in double and cut off.

// CHECK-LABEL: @shrink_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 7.500000e-01, -7.500000e-01, 0x7F800000, 0xFF800000, 0.000000e+00]> : tensor<9xf32>
// CHECK-NEXT: return
func.func @shrink_f32_special() -> tensor<9xf32> {
  %x = onnx.Constant dense<[0.000000000e+00, -0.000000000e+00, 5.000000000e-01, -5.000000000e-01, 7.500000000e-01, -7.500000000e-01, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>
  %r = onnx.Shrink(%x) <{since = 9}> : (tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// CHECK-LABEL: @shrink_i8_cut_off
// CHECK: onnx.Constant dense<[-98, 0, 0, 0, 0, 98]> : tensor<6xi8>
// CHECK-NEXT: return
func.func @shrink_i8_cut_off() -> tensor<6xi8> {
  %x = onnx.Constant dense<[-100, -1, 0, 1, 2, 100]> : tensor<6xi8>
  %r = onnx.Shrink(%x) <{since = 9}> {bias = 1.500000e+00 : f32, lambd = 1.000000e+00 : f32} : (tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// -----

// CHECK-LABEL: @shrink_f32_rank0
// CHECK: onnx.Constant dense<2.500000e+00> : tensor<f32>
// CHECK-NEXT: return
func.func @shrink_f32_rank0() -> tensor<f32> {
  %x = onnx.Constant dense<2.500000000e+00> : tensor<f32>
  %r = onnx.Shrink(%x) <{since = 9}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @shrink_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @shrink_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Shrink(%x) <{since = 9}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @shrink_ui8_out_of_range_stays
// CHECK: onnx.Shrink(
func.func @shrink_ui8_out_of_range_stays() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1, 3]> : tensor<2xui8>
  // expected-remark @+1 {{onnx.Shrink not folded: element [0]}}
  %r = onnx.Shrink(%x) <{since = 9}> {bias = 2.000000e+00 : f32} : (tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// CHECK-LABEL: @shrink_i1_stays
// CHECK: onnx.Shrink(
func.func @shrink_i1_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[true, false]> : tensor<2xi1>
  // expected-remark @+1 {{onnx.Shrink not folded: input #0 ('input') is tensor<2xi1>, expected one of}}
  %r = onnx.Shrink(%x) <{since = 9}> : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: @shrink_i1_of_unknown_type_stays
// CHECK: onnx.Shrink(
func.func @shrink_i1_of_unknown_type_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %y = onnx.Cast(%x) <{since = 1}> {to = "BOOL"} : (tensor<2xf32>) -> !onnx.unknown
  // expected-remark @+1 {{onnx.Shrink not folded: input #0 ('input') is tensor<2xi1>, expected one of}}
  %r = onnx.Shrink(%y) <{since = 9}> : (!onnx.unknown) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
