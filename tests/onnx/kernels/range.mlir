// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: start + i * delta in numpy, rounded once to the type.

// CHECK-LABEL: @range_f32_one_beyond
// CHECK: onnx.Constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @range_f32_one_beyond() -> tensor<2xf32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<5.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @range_i64_empty
// CHECK: onnx.Constant dense<> : tensor<0xi64>
// CHECK-NEXT: return
func.func @range_i64_empty() -> tensor<0xi64> {
  %x = onnx.Constant dense<5> : tensor<i64>
  %y = onnx.Constant dense<5> : tensor<i64>
  %z = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<0xi64>
  return %r : tensor<0xi64>
}

// -----

// CHECK-LABEL: @range_i64_wrong_direction
// CHECK: onnx.Constant dense<> : tensor<0xi64>
// CHECK-NEXT: return
func.func @range_i64_wrong_direction() -> tensor<0xi64> {
  %x = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Constant dense<5> : tensor<i64>
  %z = onnx.Constant dense<-1> : tensor<i64>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<0xi64>
  return %r : tensor<0xi64>
}

// -----

// ceil((2^63 - 1) / 2^62) = 2.
// CHECK-LABEL: @range_i64_far
// CHECK: onnx.Constant dense<[-4611686018427387904, 0]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @range_i64_far() -> tensor<2xi64> {
  %x = onnx.Constant dense<-4611686018427387904> : tensor<i64>
  %y = onnx.Constant dense<4611686018427387903> : tensor<i64>
  %z = onnx.Constant dense<4611686018427387904> : tensor<i64>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

// Vectors of one element are taken as scalars.
// CHECK-LABEL: @range_i16_vectors
// CHECK: onnx.Constant dense<[1, 2, 3]> : tensor<3xi16>
// CHECK-NEXT: return
func.func @range_i16_vectors() -> tensor<3xi16> {
  %x = onnx.Constant dense<1> : tensor<1xi16>
  %y = onnx.Constant dense<4> : tensor<1xi16>
  %z = onnx.Constant dense<1> : tensor<1xi16>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<3xi16>
  return %r : tensor<3xi16>
}

// -----

// CHECK-LABEL: @range_f64_not_a_running_sum
// CHECK: onnx.Constant dense<[0.000000e+00, 1.250000e-01, 2.500000e-01, 3.750000e-01]> : tensor<4xf64>
// CHECK-NEXT: return
func.func @range_f64_not_a_running_sum() -> tensor<4xf64> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<f64>
  %y = onnx.Constant dense<5.000000e-01> : tensor<f64>
  %z = onnx.Constant dense<1.250000e-01> : tensor<f64>
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

// A running sum in f16 would stay at 2048.
// CHECK-LABEL: @range_f16
// CHECK: onnx.Constant dense<[2.047000e+03, 2.048000e+03, 2.048000e+03, 2.050000e+03, 2.052000e+03]> : tensor<5xf16>
// CHECK-NEXT: return
func.func @range_f16() -> tensor<5xf16> {
  %x = onnx.Constant dense<2.047000e+03> : tensor<f16>
  %y = onnx.Constant dense<2.052000e+03> : tensor<f16>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f16>
  %r = onnx.Range(%x, %y, %z) <{since = 27}> : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<5xf16>
  return %r : tensor<5xf16>
}

// -----

// CHECK-LABEL: @range_bf16_f64
// CHECK: onnx.Constant dense<[1.000000e+00, 1.250000e+00, 1.500000e+00, 1.750000e+00]> : tensor<4xbf16>
// CHECK-NEXT: return
func.func @range_bf16_f64() -> tensor<4xbf16> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<bf16>
  %y = onnx.Constant dense<2.000000e+00> : tensor<bf16>
  %z = onnx.Constant dense<2.500000e-01> : tensor<bf16>
  %r = onnx.Range(%x, %y, %z) <{since = 27}> {stash_type = 11 : i64} : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// CHECK-LABEL: @range_f16_stash_type_stays
// CHECK: onnx.Range(
func.func @range_f16_stash_type_stays() -> tensor<?xf16> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<f16>
  %y = onnx.Constant dense<2.000000e+00> : tensor<f16>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f16>
  // expected-remark @+1 {{onnx.Range not folded: attribute 'stash_type' is 10, expected 1 (f32) or 11 (f64)}}
  %r = onnx.Range(%x, %y, %z) <{since = 27}> {stash_type = 10 : i64} : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<?xf16>
  return %r : tensor<?xf16>
}

// -----

// CHECK-LABEL: @range_i64_delta_0_stays
// CHECK: onnx.Range(
func.func @range_i64_delta_0_stays() -> tensor<?xi64> {
  %x = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Constant dense<5> : tensor<i64>
  %z = onnx.Constant dense<0> : tensor<i64>
  // expected-remark @+1 {{onnx.Range not folded: the number of elements is not defined for these inputs}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: @range_f32_delta_0_stays
// CHECK: onnx.Range(
func.func @range_f32_delta_0_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<5.000000e+00> : tensor<f32>
  %z = onnx.Constant dense<0.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Range not folded: the number of elements is not defined for these inputs}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @range_f32_nan_stays
// CHECK: onnx.Range(
func.func @range_f32_nan_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<0x7FC00000> : tensor<f32>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Range not folded: the number of elements is not defined for these inputs}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @range_f32_infinite_stays
// CHECK: onnx.Range(
func.func @range_f32_infinite_stays() -> tensor<?xf32> {
  %x = onnx.Constant dense<0.000000e+00> : tensor<f32>
  %y = onnx.Constant dense<0x7F800000> : tensor<f32>
  %z = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Range not folded: the number of elements is not defined for these inputs}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: @range_i64_huge_stays
// CHECK: onnx.Range(
func.func @range_i64_huge_stays() -> tensor<?xi64> {
  %x = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Constant dense<1099511627776> : tensor<i64>
  %z = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.Range not folded: the result has shape [1099511627776], more than}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: @range_i64_two_elements_stays
// CHECK: onnx.Range(
func.func @range_i64_two_elements_stays() -> tensor<?xi64> {
  %x = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %y = onnx.Constant dense<5> : tensor<i64>
  %z = onnx.Constant dense<1> : tensor<i64>
  // expected-remark @+1 {{onnx.Range not folded: input #0 has shape [2], expected one element}}
  %r = onnx.Range(%x, %y, %z) <{since = 11}> : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// d, d + 1, d + 2 without d.
// CHECK-LABEL: @range_i64_symbolic
// CHECK: %[[R:.*]] = onnx.Constant dense<[0, 1, 2]> : tensor<3xi64>
// CHECK: return %[[R]]
func.func @range_i64_symbolic(%x: tensor<?x3xf32>) -> tensor<3xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %z = onnx.Constant dense<0> : tensor<i64>
  %d = onnx.Gather(%s, %z) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %c = onnx.Constant dense<3> : tensor<i64>
  %o = onnx.Constant dense<1> : tensor<i64>
  %l = onnx.Add(%d, %c) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %m = onnx.Range(%d, %l, %o) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  %r = onnx.Sub(%m, %d) <{since = 14}> : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

// As many as nobody knows.
// CHECK-LABEL: @range_i64_symbolic_stays
// CHECK: %[[R:.*]] = onnx.Range(
// CHECK: return %[[R]]
func.func @range_i64_symbolic_stays(%x: tensor<?x3xf32>) -> tensor<?xi64> {
  %s = onnx.Shape(%x) <{since = 15}> : (tensor<?x3xf32>) -> tensor<2xi64>
  %z = onnx.Constant dense<0> : tensor<i64>
  %d = onnx.Gather(%s, %z) <{since = 13}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  %o = onnx.Constant dense<1> : tensor<i64>
  %r = onnx.Range(%z, %d, %o) <{since = 11}> : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}
