// A type that the library does not have ended the compiler: "no conversion between the types".
// RUN: fold-opt %s -constprop -split-input-file | FileCheck %s
// RUN: fold-opt %s -constprop -split-input-file --remarks-filter-missed=constprop 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// MLIR's own folders have these numbers.
// RUN: fold-opt %s -constprop -canonicalize -split-input-file | FileCheck %s --check-prefix=FOLDERS

// REMARK: remark: {{.*}}arith.extsi{{.*}}elements of type i128 are not supported
// CHECK-LABEL: @to_i128_stays
// CHECK: arith.extsi
// FOLDERS: arith.constant 1 : i128
func.func @to_i128_stays() -> i128 {
  %0 = arith.constant 1 : i64
  %1 = arith.extsi %0 : i64 to i128
  return %1 : i128
}

// -----

// REMARK: remark: {{.*}}arith.trunci{{.*}}elements of type i17 are not supported
// CHECK-LABEL: @vector_to_i17_stays
// CHECK: arith.trunci
// FOLDERS: arith.constant dense<1> : vector<2xi17>
func.func @vector_to_i17_stays() -> vector<2xi17> {
  %0 = arith.constant dense<1> : vector<2xi32>
  %1 = arith.trunci %0 : vector<2xi32> to vector<2xi17>
  return %1 : vector<2xi17>
}

// -----

// REMARK: remark: {{.*}}arith.extf{{.*}}elements of type f128 are not supported
// CHECK-LABEL: @to_f128_stays
// CHECK: arith.extf
// FOLDERS: arith.constant 1.000000e+00 : f128
func.func @to_f128_stays() -> f128 {
  %0 = arith.constant 1.0 : f32
  %1 = arith.extf %0 : f32 to f128
  return %1 : f128
}

// -----

// REMARK: remark: {{.*}}arith.sitofp{{.*}}elements of type f80 are not supported
// CHECK-LABEL: @tensor_to_f80_stays
// CHECK: arith.sitofp
func.func @tensor_to_f80_stays() -> tensor<0xf80> {
  %0 = arith.constant dense<> : tensor<0xi32>
  %1 = arith.sitofp %0 : tensor<0xi32> to tensor<0xf80>
  return %1 : tensor<0xf80>
}

// -----

// CHECK-LABEL: @to_i64
// CHECK: arith.constant -1 : i64
func.func @to_i64() -> i64 {
  %0 = arith.constant true
  %1 = arith.extsi %0 : i1 to i64
  return %1 : i64
}

// -----

// REMARK: remark: {{.*}}tosa.add{{.*}}elements of type !quant.uniform<i8:f32, 5.000000e-01:-128> are not supported
// CHECK-LABEL: @quantized_stays
// CHECK: tosa.add
!q = tensor<2x!quant.uniform<i8:f32, 0.5:-128>>
func.func @quantized_stays() -> !q {
  %0 = "tosa.const"() <{values = dense<127> : tensor<2xi8>}> : () -> !q
  %1 = tosa.add %0, %0 : (!q, !q) -> !q
  return %1 : !q
}
