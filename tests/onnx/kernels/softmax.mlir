// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: computed with numpy 2.4 by the formula of the specification, not taken from the
// tool. In double throughout, rounded once. Before version 13 the sum runs over all dimensions from
// `axis` on.

// CHECK-LABEL: @softmax_f32_last_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}0.26894143{{[0-9]*}}, 0.73105859{{[0-9]*}}], [0.88079708{{[0-9]*}}, 0.11920291{{[0-9]*}}]], {{\[\[}}0.017986210{{[0-9]*}}, 0.98201376{{[0-9]*}}], [0.97068774{{[0-9]*}}, 0.029312230{{[0-9]*}}]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_last_axis() -> tensor<2x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 1.000000e+00]], [[0.000000e+00, 4.000000e+00], [2.500000e+00, -1.000000e+00]]]> : tensor<2x2x2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_axis_0
// CHECK: onnx.Constant dense<{{\[\[\[}}0.73105859{{[0-9]*}}, 0.11920291{{[0-9]*}}], [0.62245935{{[0-9]*}}, 0.88079708{{[0-9]*}}]], {{\[\[}}0.26894143{{[0-9]*}}, 0.88079708{{[0-9]*}}], [0.37754067{{[0-9]*}}, 0.11920291{{[0-9]*}}]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_axis_0() -> tensor<2x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 1.000000e+00]], [[0.000000e+00, 4.000000e+00], [2.500000e+00, -1.000000e+00]]]> : tensor<2x2x2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> {axis = 0 : i64} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_v11_flattens
// CHECK: onnx.Constant dense<{{\[\[\[}}0.082594536{{[0-9]*}}, 0.22451522{{[0-9]*}}], [0.61029571{{[0-9]*}}, 0.082594536{{[0-9]*}}]], {{\[\[}}0.014673831{{[0-9]*}}, 0.80116409{{[0-9]*}}], [0.17876386{{[0-9]*}}, 0.0053982012{{[0-9]*}}]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_v11_flattens() -> tensor<2x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 1.000000e+00]], [[0.000000e+00, 4.000000e+00], [2.500000e+00, -1.000000e+00]]]> : tensor<2x2x2xf32>
  %r = onnx.Softmax(%x) <{since = 11}> : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_v11_negative_axis
// CHECK: onnx.Constant dense<{{\[\[\[}}0.082594536{{[0-9]*}}, 0.22451522{{[0-9]*}}], [0.61029571{{[0-9]*}}, 0.082594536{{[0-9]*}}]], {{\[\[}}0.014673831{{[0-9]*}}, 0.80116409{{[0-9]*}}], [0.17876386{{[0-9]*}}, 0.0053982012{{[0-9]*}}]]]> : tensor<2x2x2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_v11_negative_axis() -> tensor<2x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 1.000000e+00]], [[0.000000e+00, 4.000000e+00], [2.500000e+00, -1.000000e+00]]]> : tensor<2x2x2xf32>
  %r = onnx.Softmax(%x) <{since = 11}> {axis = -2 : i64} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_v1_axis_0
// CHECK: onnx.Constant dense<{{\[\[}}0.072329491{{[0-9]*}}, 0.19661192{{[0-9]*}}], [0.53444665{{[0-9]*}}, 0.19661192{{[0-9]*}}]]> : tensor<2x2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_v1_axis_0() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
  %r = onnx.Softmax(%x) <{since = 1}> {axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// exp(1000) alone would overflow.
// CHECK-LABEL: @softmax_f32_large
// CHECK: onnx.Constant dense<[0.26894143{{[0-9]*}}, 0.73105859{{[0-9]*}}]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_large() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+03, 1.001000e+03]> : tensor<2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f64
// CHECK: onnx.Constant dense<5.000000e-01> : tensor<2xf64>
// CHECK-NEXT: return
func.func @softmax_f64() -> tensor<2xf64> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<2xf64>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xf64>) -> tensor<2xf64>
  return %r : tensor<2xf64>
}

// -----

// CHECK-LABEL: @softmax_f32_nan
// CHECK: onnx.Constant dense<{{0x[7F][0-9A-F]+}}> : tensor<2xf32>
// CHECK-NEXT: return
func.func @softmax_f32_nan() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_empty
// CHECK: onnx.Constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return
func.func @softmax_f32_empty() -> tensor<0x3xf32> {
  %x = onnx.Constant dense<> : tensor<0x3xf32>
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<0x3xf32>) -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_axis_outside_stays
// CHECK: onnx.Softmax(
func.func @softmax_f32_axis_outside_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Softmax not folded: attribute 'axis' is 1, the rank is 1}}
  %r = onnx.Softmax(%x) <{since = 13}> {axis = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @softmax_f32_rank0_stays
// CHECK: onnx.Softmax(
func.func @softmax_f32_rank0_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Softmax not folded: attribute 'axis' is -1, the rank is 0}}
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// CHECK-LABEL: @softmax_i32_stays
// CHECK: onnx.Softmax(
func.func @softmax_i32_stays() -> tensor<2xi32> {
  %x = onnx.Constant dense<[1, 2]> : tensor<2xi32>
  // expected-remark @+1 {{onnx.Softmax not folded: input #0 ('input') is tensor<2xi32>, expected one of}}
  %r = onnx.Softmax(%x) <{since = 13}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
