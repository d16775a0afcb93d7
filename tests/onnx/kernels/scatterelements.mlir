// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the assignments of the specification, in numpy.

// As the first example of the specification.
// CHECK-LABEL: @scatterelements_axis_0
// CHECK{LITERAL}: onnx.Constant dense<[[3.000000e+00, 1.500000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00, 4.000000e+00], [0.000000e+00, 3.500000e+00, 2.000000e+00]]> : tensor<3x3xf32>
// CHECK-NEXT: return
func.func @scatterelements_axis_0() -> tensor<3x3xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<3x3xf32>
  %y = onnx.Constant dense<[[1, 0, 2], [0, 2, 1]]> : tensor<2x3xi64>
  %z = onnx.Constant dense<[[1.000000e+00, 1.500000e+00, 2.000000e+00], [3.000000e+00, 3.500000e+00, 4.000000e+00]]> : tensor<2x3xf32>
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 11}> : (tensor<3x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// CHECK-LABEL: @scatterelements_mul_i32_wraps
// CHECK: onnx.Constant dense<[3, 0]> : tensor<2xi32>
// CHECK-NEXT: return
func.func @scatterelements_mul_i32_wraps() -> tensor<2xi32> {
  %x = onnx.Constant dense<[3, 2]> : tensor<2xi32>
  %y = onnx.Constant dense<1> : tensor<2xi64>
  %z = onnx.Constant dense<[1048576, 4096]> : tensor<2xi32>
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 16}> {reduction = "mul"} : (tensor<2xi32>, tensor<2xi64>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// It was what one of them makes of it: ONNX Runtime and the reference evaluator have different results.
// CHECK-LABEL: @scatterelements_max_nan_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_max_nan_stays() -> tensor<3xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  %y = onnx.Constant dense<[0, 1, 2]> : tensor<3xi64>
  %z = onnx.Constant dense<[0x7FC00000, 1.000000e+00, 5.000000e+00]> : tensor<3xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: element [2] of input #0 is NaN, which runtimes do not order in one way}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> {reduction = "max"} : (tensor<3xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// CHECK-LABEL: @scatterelements_min_u8
// CHECK: onnx.Constant dense<[9, 100]> : tensor<2xui8>
// CHECK-NEXT: return
func.func @scatterelements_min_u8() -> tensor<2xui8> {
  %x = onnx.Constant dense<[9, 200]> : tensor<2xui8>
  %y = onnx.Constant dense<1> : tensor<2xi32>
  %z = onnx.Constant dense<[100, 255]> : tensor<2xui8>
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> {reduction = "min"} : (tensor<2xui8>, tensor<2xi32>, tensor<2xui8>) -> tensor<2xui8>
  return %r : tensor<2xui8>
}

// -----

// 2048 + 1 rounds to 2048 in f16, twice.
// CHECK-LABEL: @scatterelements_add_f16_rounds_each
// CHECK: onnx.Constant dense<2.048000e+03> : tensor<1xf16>
// CHECK-NEXT: return
func.func @scatterelements_add_f16_rounds_each() -> tensor<1xf16> {
  %x = onnx.Constant dense<2.048000e+03> : tensor<1xf16>
  %y = onnx.Constant dense<0> : tensor<2xi64>
  %z = onnx.Constant dense<1.000000e+00> : tensor<2xf16>
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 16}> {reduction = "add"} : (tensor<1xf16>, tensor<2xi64>, tensor<2xf16>) -> tensor<1xf16>
  return %r : tensor<1xf16>
}

// -----

// CHECK-LABEL: @scatterelements_no_update
// CHECK: onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @scatterelements_no_update() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<> : tensor<0xi64>
  %z = onnx.Constant dense<> : tensor<0xf32>
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 13}> : (tensor<2xf32>, tensor<0xi64>, tensor<0xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_repeated_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_repeated_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  %z = onnx.Constant dense<[8.000000e+00, 9.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: update [1] writes what an earlier one has written, and there is no reduction}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_beyond_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_beyond_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<2> : tensor<1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: index [0] is 2, the dimension is 2}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_below_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_below_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<-3> : tensor<1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: index [0] is -3, the dimension is 2}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_updates_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_updates_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<[8.000000e+00, 9.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: updates have shape [2], expected [1]}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> : (tensor<2xf32>, tensor<1xi64>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_wider_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_wider_stays() -> tensor<2x1xf32> {
  %x = onnx.Constant dense<[[0.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>
  %y = onnx.Constant dense<0> : tensor<1x2xi64>
  %z = onnx.Constant dense<[[8.000000e+00, 9.000000e+00]]> : tensor<1x2xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: the indices have shape [1, 2], more than [2, 1] beside axis 0}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> : (tensor<2x1xf32>, tensor<1x2xi64>, tensor<1x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// -----

// CHECK-LABEL: @scatterelements_axis_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_axis_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 18}> {axis = 1 : i64} : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @scatterelements_reduction_stays
// CHECK: onnx.ScatterElements(
func.func @scatterelements_reduction_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Constant dense<0> : tensor<1xi64>
  %z = onnx.Constant dense<8.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.ScatterElements not folded: attribute 'reduction' is 'max', expected none, add, mul}}
  %r = onnx.ScatterElements(%x, %y, %z) <{since = 16}> {reduction = "max"} : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
