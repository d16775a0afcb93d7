// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values by hand.

// CHECK-LABEL: @einsum_f32_matrix_product
// CHECK-DAG: onnx.Constant dense<{{\[\[}}7.000000e+00, 8.000000e+00], [1.600000e+01, 1.700000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_matrix_product() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// The letters that come once in ASCII order: a, b. A and a differ.
// CHECK-LABEL: @einsum_f32_implicit_result
// CHECK-DAG: onnx.Constant dense<{{\[\[}}7.000000e+00, 1.600000e+01], [8.000000e+00, 1.700000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_implicit_result() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "bA,Aa"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_spaces
// CHECK-DAG: onnx.Constant dense<{{\[\[}}7.000000e+00, 8.000000e+00], [1.600000e+01, 1.700000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_spaces() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]]> : tensor<3x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = " i j , j k - > i k "} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_sum_of_all
// CHECK-DAG: onnx.Constant dense<2.100000e+01> : tensor<f32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_sum_of_all() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ij->"} : (tensor<2x3xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @einsum_f32_trace
// CHECK-DAG: onnx.Constant dense<5.000000e+00> : tensor<f32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_trace() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ii"} : (tensor<2x2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @einsum_f32_diagonal
// CHECK-DAG: onnx.Constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_diagonal() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ii->i"} : (tensor<2x2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_diagonals_of_three
// CHECK-DAG: onnx.Constant dense<[1.000000e+00, 8.000000e+00]> : tensor<2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_diagonals_of_three() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]]> : tensor<2x2x2xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "iii->i"} : (tensor<2x2x2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_batch_diagonal
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [5.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_batch_diagonal() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]], [[5.000000e+00, 6.000000e+00], [7.000000e+00, 8.000000e+00]]]> : tensor<2x2x2xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "...ii->...i"} : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_elementwise
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [9.000000e+00, 1.600000e+01]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_elementwise() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,ij->ij"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_outer_product
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+01, 2.000000e+01, 3.000000e+01], [1.000000e+02, 2.000000e+02, 3.000000e+02]]> : tensor<2x3xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_outer_product() -> tensor<2x3xf32> {
  %x = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  %w = onnx.Constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i,j->ij"} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_scalar
// CHECK-DAG: onnx.Constant dense<[2.000000e+01, 2.000000e+02]> : tensor<2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_scalar() -> tensor<2xf32> {
  %x = onnx.Constant dense<2.000000e+00> : tensor<f32>
  %w = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = ",i->i"} : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipsis_broadcasts
// CHECK-DAG: onnx.Constant dense<{{\[\[}}2.100000e+01, 2.100000e+03], [4.300000e+01, 4.300000e+03]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_broadcasts() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]], [[3.000000e+00, 4.000000e+00]]]> : tensor<2x1x2xf32>
  %w = onnx.Constant dense<[[[1.000000e+00, 1.000000e+01], [1.000000e+02, 1.000000e+03]]]> : tensor<1x2x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "...i,...i->..."} : (tensor<2x1x2xf32>, tensor<1x2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipsis_first_in_implicit_result
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}7.000000e+00, 1.000000e+01], [1.500000e+01, 2.200000e+01]]]> : tensor<1x2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_first_in_implicit_result() -> tensor<1x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "...ij,jk"} : (tensor<1x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2xf32>
  return %y : tensor<1x2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipsis_in_the_midst
// CHECK-DAG: onnx.Constant dense<{{\[\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]]> : tensor<1x2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_in_the_midst() -> tensor<1x2x2xf32> {
  %x = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]], [[3.000000e+00, 4.000000e+00]]]> : tensor<2x1x2xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "i...j->...ji"} : (tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  return %y : tensor<1x2x2xf32>
}

// -----

// As the reference evaluator and the text have it; ONNX Runtime refuses.
// CHECK-LABEL: @einsum_f32_ellipsis_is_summed
// CHECK-DAG: onnx.Constant dense<[5.000000e+00, 7.000000e+00, 9.000000e+00]> : tensor<3xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_is_summed() -> tensor<3xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "...i->i"} : (tensor<2x3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipsis_of_nothing
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_of_nothing() -> tensor<3x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "...ij->...ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipsis_of_the_result_alone
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_ellipsis_of_the_result_alone() -> tensor<3x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ij->...ji"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// As in the reference evaluator and ONNX Runtime.
// CHECK-LABEL: @einsum_f32_letter_broadcasts
// CHECK-DAG: onnx.Constant dense<{{\[\[}}1.000000e+01, 2.000000e+01], [3.000000e+02, 4.000000e+02]]> : tensor<2x2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_letter_broadcasts() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.000000e+01], [1.000000e+02]]> : tensor<2x1xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,ij->ij"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_broadcast_letter_is_summed
// CHECK-DAG: onnx.Constant dense<[3.000000e+01, 7.000000e+02]> : tensor<2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_broadcast_letter_is_summed() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.000000e+01], [1.000000e+02]]> : tensor<2x1xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,ij->i"} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// (7 + 16) * 10 + (8 + 17) * 100 = 2730
// CHECK-LABEL: @einsum_f32_three_operands
// CHECK-DAG: onnx.Constant dense<2.730000e+03> : tensor<f32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_three_operands() -> tensor<f32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]]> : tensor<3x2xf32>
  %r = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  %y = onnx.Einsum(%x, %w, %r) <{since = 12}> {equation = "ij,jk,k->"} : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// Each partial sum rounded, it would stay 2048.
// CHECK-LABEL: @einsum_f16_rounds_once
// CHECK-DAG: onnx.Constant dense<2.050000e+03> : tensor<f16>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f16_rounds_once() -> tensor<f16> {
  %x = onnx.Constant dense<[2.048000e+03, 1.000000e+00, 1.000000e+00]> : tensor<3xf16>
  %w = onnx.Constant dense<1.000000e+00> : tensor<3xf16>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i,i->"} : (tensor<3xf16>, tensor<3xf16>) -> tensor<f16>
  return %y : tensor<f16>
}

// -----

// 300 * 300 is no f16; times 10486 / 2^20 it is 900.03, whose f16 is 900.
// CHECK-LABEL: @einsum_f16_intermediate_is_not_rounded
// CHECK-DAG: onnx.Constant dense<9.000000e+02> : tensor<f16>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f16_intermediate_is_not_rounded() -> tensor<f16> {
  %x = onnx.Constant dense<3.000000e+02> : tensor<1xf16>
  %w = onnx.Constant dense<3.000000e+02> : tensor<1xf16>
  %r = onnx.Constant dense<1.000210e-02> : tensor<1xf16>
  %y = onnx.Einsum(%x, %w, %r) <{since = 12}> {equation = "i,i,i->"} : (tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<f16>
  return %y : tensor<f16>
}

// -----

// CHECK-LABEL: @einsum_i8_wraps
// CHECK-DAG: onnx.Constant dense<-56> : tensor<i8>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_i8_wraps() -> tensor<i8> {
  %x = onnx.Constant dense<100> : tensor<2xi8>
  %w = onnx.Constant dense<1> : tensor<2xi8>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i,i->"} : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>
  return %y : tensor<i8>
}

// -----

// CHECK-LABEL: @einsum_u64
// CHECK-DAG: onnx.Constant dense<18446744073709551613> : tensor<1xui64>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_u64() -> tensor<1xui64> {
  %x = onnx.Constant dense<18446744073709551615> : tensor<1xui64>
  %w = onnx.Constant dense<3> : tensor<1xui64>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i,i->i"} : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
  return %y : tensor<1xui64>
}

// -----

// CHECK-LABEL: @einsum_f32_empty_sum
// CHECK-DAG: onnx.Constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_empty_sum() -> tensor<2xf32> {
  %x = onnx.Constant dense<> : tensor<0x2xf32>
  %w = onnx.Constant dense<> : tensor<0xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,i->j"} : (tensor<0x2xf32>, tensor<0xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_nan
// CHECK-DAG: onnx.Constant dense<0x7FC00000> : tensor<f32>
// CHECK-NOT: onnx.Einsum(
func.func @einsum_f32_nan() -> tensor<f32> {
  %x = onnx.Constant dense<[0x7FC00000, 1.000000e+00]> : tensor<2xf32>
  %w = onnx.Constant dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i,i"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @einsum_f32_too_few_terms_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_too_few_terms_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is 'ij' for 2 inputs}}
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_no_equation_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_no_equation_stays() -> tensor<f32> {
  %x = onnx.Constant dense<1.000000e+00> : tensor<f32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is '' for 1 inputs}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = ""} : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: @einsum_f32_other_sizes_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_other_sizes_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  %w = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: input #1 has shape [2, 2], which does not fit the equation}}
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_other_rank_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_other_rank_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: input #0 has shape [2], which does not fit the equation}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ij->ij"} : (tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_diagonal_of_a_rectangle_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_diagonal_of_a_rectangle_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: input #0 has shape [2, 3], which does not fit the equation}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ii->i"} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_letter_twice_in_the_result_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_letter_twice_in_the_result_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: a letter of the result comes twice or in no term}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ij->ii"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_unknown_letter_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_unknown_letter_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: a letter of the result comes twice or in no term}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "ij->ik"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_ellipses_of_different_ranks_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_ellipses_of_different_ranks_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: an ellipsis stands for 2 and for 1 dimensions}}
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "...,...->..."} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: @einsum_f32_digit_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_digit_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %w = onnx.Constant dense<[1.000000e+01, 1.000000e+02]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is 'i1,i->i' for 2 inputs}}
  %y = onnx.Einsum(%x, %w) <{since = 12}> {equation = "i1,i->i"} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// ONNX's own inference never returns here.
// CHECK-LABEL: @einsum_f32_dot_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_dot_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is 'i.j->ij' for 1 inputs}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "i.j->ij"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// ONNX's own inference never returns here.
// CHECK-LABEL: @einsum_f32_second_ellipsis_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_second_ellipsis_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is '....ij->ij' for 1 inputs}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "....ij->ij"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// ONNX's own inference never returns here.
// CHECK-LABEL: @einsum_f32_arrow_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_arrow_stays() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: attribute 'equation' is 'i-j->ij' for 1 inputs}}
  %y = onnx.Einsum(%x) <{since = 12}> {equation = "i-j->ij"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// Runtimes broadcast a label of size 1; ONNX's inference says its first size.
// CHECK-LABEL: @einsum_f32_first_size_1_stays
// CHECK: onnx.Einsum(
func.func @einsum_f32_first_size_1_stays() -> tensor<?x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %z = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  // expected-remark @+1 {{onnx.Einsum not folded: label 'i' has sizes 1 and 2, of which inference says the first}}
  %y = onnx.Einsum(%x, %z) <{since = 12}> {equation = "ij,ij->ij"} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// -----

// The other way round all say 2.
// CHECK-LABEL: @einsum_f32_later_size_1
// CHECK-NOT: onnx.Einsum(
// CHECK{LITERAL}: dense<[[1.000000e+00, 4.000000e+00], [3.000000e+00, 8.000000e+00]]>
func.func @einsum_f32_later_size_1() -> tensor<2x2xf32> {
  %x = onnx.Constant dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
  %z = onnx.Constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %y = onnx.Einsum(%z, %x) <{since = 12}> {equation = "ij,ij->ij"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
