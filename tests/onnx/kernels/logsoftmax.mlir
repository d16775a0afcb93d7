// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the formula of the specification with numpy in double, rounded once to the type; not
// taken from the tool. Before version 13 x is a matrix, cut before `axis`.

// CHECK-LABEL: @logsoftmax_f32_large
// CHECK: onnx.Constant dense<[-1.3132616{{[0-9]*}}, -0.31326168{{[0-9]*}}]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @logsoftmax_f32_large() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+03, 1.001000000e+03]> : tensor<2xf32>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @logsoftmax_f32_nan
// CHECK: onnx.Constant dense<{{0x[7F][0-9A-F]+}}> : tensor<2xf32>
// CHECK-NEXT: return
func.func @logsoftmax_f32_nan() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @logsoftmax_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @logsoftmax_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @logsoftmax_f32_empty_axis
// CHECK: onnx.Constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return
func.func @logsoftmax_f32_empty_axis() -> tensor<2x0xf32> {
  %x = onnx.Constant dense<> : tensor<2x0xf32>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %r : tensor<2x0xf32>
}

// -----

// CHECK-LABEL: @logsoftmax_f32_axis_outside_stays
// CHECK: onnx.LogSoftmax(
func.func @logsoftmax_f32_axis_outside_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000000e+00, 2.000000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.LogSoftmax not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.LogSoftmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @logsoftmax_f32_rank0_stays
// CHECK: onnx.LogSoftmax(
func.func @logsoftmax_f32_rank0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.LogSoftmax not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @logsoftmax_i32_stays
// CHECK: onnx.LogSoftmax(
func.func @logsoftmax_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.LogSoftmax not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// ONNX Runtime: nan, -inf. The reference evaluator: nan, nan.
// CHECK-LABEL: @logsoftmax_f64_infinity_stays
// CHECK: onnx.LogSoftmax(
func.func @logsoftmax_f64_infinity_stays() -> tensor<2xf64> {
  %x = onnx.Constant dense<[0x7FF0000000000000, 2.000000000e+00]> : tensor<2xf64>
  // expected-remark @+1 {{onnx.LogSoftmax not folded: element [0] of input #0 is infinite, and what runtimes make of its group differs}}
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @logsoftmax_f64_negative_infinity
// CHECK{LITERAL}: onnx.Constant dense<[0xFFF0000000000000, 0.000000e+00]> : tensor<2xf64>
// CHECK-NEXT: return
func.func @logsoftmax_f64_negative_infinity() -> tensor<2xf64> {
  %x = onnx.Constant dense<[0xFFF0000000000000, 2.000000000e+00]> : tensor<2xf64>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// As in the evaluator; ONNX Runtime makes a number of the first element.
// CHECK-LABEL: @logsoftmax_f64_nan
// CHECK: onnx.Constant dense<0x7FF8000000000000> : tensor<2xf64>
// CHECK-NEXT: return
func.func @logsoftmax_f64_nan() -> tensor<2xf64> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FF8000000000000]> : tensor<2xf64>
  %r = onnx.LogSoftmax(%x) <{since = 13}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}
