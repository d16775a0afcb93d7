// RUN: fold-opt %s --onnx-clean-up=level=2 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s --check-prefix=EXACT

// (x + c) + d = x + (c + d), ((x + c) + y) + d = (x + c) + (y + d) = (x + y) + (c + d)
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @sum
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<7.500000e-01>
// CHECK: %[[Y:.*]] = onnx.Add(%arg0, %[[C]])
// CHECK: onnx.Custom(%[[Y]])
// EXACT-LABEL: @sum
// EXACT: onnx.Add(
// EXACT: onnx.Add(
func.func @sum(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<0.5> : tensor<3xf32>
  %c2 = onnx.Constant dense<0.25> : tensor<f32>
  %a = onnx.Add(%c1, %x) <{since = 14}>
    : (tensor<3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @scaled_and_divided
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.750000e-01>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @scaled_and_divided(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<3.0> : tensor<f32>
  %c2 = onnx.Constant dense<8.0> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @divided_and_scaled
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.750000e-01>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @divided_and_scaled(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<8.0> : tensor<f32>
  %c2 = onnx.Constant dense<3.0> : tensor<f32>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @divided_twice
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1.600000e+01>
// CHECK: onnx.Div(%arg0, %[[C]])
func.func @divided_twice(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<8.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @sum_between
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<3.000000e+00>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg{{[01]}}, %arg{{[01]}})
// CHECK: onnx.Add(%[[S]], %[[C]])
func.func @sum_between(%x: tensor<?x3xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %b = onnx.Add(%z, %a) <{since = 14}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%b, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @both_sides
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<-1.000000e+00>
// CHECK-DAG: %[[S:.*]] = onnx.Add(%arg0, %arg1)
// CHECK: onnx.Add(%[[S]], %[[C]])
func.func @both_sides(%x: tensor<?x3xf32>, %z: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %b = onnx.Sub(%z, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %b) <{since = 14}>
    : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 1.0e-30 * 1.0e-30 is 0, which x * 1.0e-60 need not be.
// CHECK-LABEL: @overflow_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Mul(
func.func @overflow_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0e-30> : tensor<f32>
  %c2 = onnx.Constant dense<1.0e-30> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @infinity_stays
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @infinity_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<0xFF800000> : tensor<f32>
  %c2 = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @minus_x_stays
// CHECK: onnx.Sub(
// CHECK: onnx.Add(
func.func @minus_x_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<2.0> : tensor<f32>
  %a = onnx.Sub(%c1, %x) <{since = 14}>
    : (tensor<f32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// (x + 1.5 * 2^23) - 1.5 * 2^23 rounds x to the nearest even integer. It became x.
// CHECK-LABEL: @magic_number_stays
// CHECK: onnx.Add(
// CHECK: onnx.Sub(
func.func @magic_number_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<12582912.0> : tensor<f32>
  %c2 = onnx.Constant dense<12582912.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Sub(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @magic_number_of_halves_stays
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @magic_number_of_halves_stays(%x: tensor<?x3xf16>) -> tensor<1xf16> {
  %c1 = onnx.Constant dense<1536.0> : tensor<f16>
  %c2 = onnx.Constant dense<-1536.0> : tensor<f16>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf16>, tensor<f16>) -> tensor<?x3xf16>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf16>, tensor<f16>) -> tensor<?x3xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf16>) -> tensor<1xf16>
  return %r : tensor<1xf16>
}

// -----

// CHECK-LABEL: @magic_number_of_doubles_stays
// CHECK: onnx.Sub(
// CHECK: onnx.Add(
func.func @magic_number_of_doubles_stays(%x: tensor<?x3xf64>) -> tensor<1xf64> {
  %c1 = onnx.Constant dense<6755399441055744.0> : tensor<f64>
  %c2 = onnx.Constant dense<6755399441055744.0> : tensor<f64>
  %a = onnx.Sub(%x, %c1) <{since = 14}>
    : (tensor<?x3xf64>, tensor<f64>) -> tensor<?x3xf64>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf64>, tensor<f64>) -> tensor<?x3xf64>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf64>) -> tensor<1xf64>
  return %r : tensor<1xf64>
}

// -----

// CHECK-LABEL: @magic_number_of_bfloats_stays
// CHECK: onnx.Add(
// CHECK: onnx.Sub(
func.func @magic_number_of_bfloats_stays(%x: tensor<?x3xbf16>) -> tensor<1xbf16> {
  %c1 = onnx.Constant dense<192.0> : tensor<bf16>
  %c2 = onnx.Constant dense<192.0> : tensor<bf16>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xbf16>, tensor<bf16>) -> tensor<?x3xbf16>
  %y = onnx.Sub(%a, %c2) <{since = 14}>
    : (tensor<?x3xbf16>, tensor<bf16>) -> tensor<?x3xbf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xbf16>) -> tensor<1xbf16>
  return %r : tensor<1xbf16>
}

// -----

// Rounds x to multiples of 1/16.
// CHECK-LABEL: @magic_number_of_sixteenths_stays
// CHECK: onnx.Add(
// CHECK: onnx.Sub(
func.func @magic_number_of_sixteenths_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<786432.0> : tensor<f32>
  %c2 = onnx.Constant dense<786432.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Sub(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Nothing cancels yet: what subtracts 12582913 comes later.
// CHECK-LABEL: @magic_number_and_one_stays
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @magic_number_and_one_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<12582912.0> : tensor<f32>
  %c2 = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @magic_number_in_one_column_stays
// CHECK: onnx.Add(
// CHECK: onnx.Add(
func.func @magic_number_in_one_column_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<[0.5, 0.25, 12582912.0]> : tensor<3xf32>
  %c2 = onnx.Constant dense<[0.5, 0.25, -12582912.0]> : tensor<3xf32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Two bits of 1.0 cancel; of 1.0 - 0.5, below, one.
// CHECK-LABEL: @cancelled_stays
// CHECK: onnx.Add(
// CHECK: onnx.Sub(
func.func @cancelled_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<0.75> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Sub(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @half_cancelled
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<5.000000e-01>
// CHECK: onnx.Add(%arg0, %[[C]])
func.func @half_cancelled(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0> : tensor<f32>
  %c2 = onnx.Constant dense<0.5> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Sub(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 2^21: sums with it have a fraction.
// CHECK-LABEL: @large_but_exact_addend
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<0x4A000004>
// CHECK: onnx.Add(%arg0, %[[C]])
func.func @large_but_exact_addend(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<2097152.0> : tensor<f32>
  %c2 = onnx.Constant dense<1.0> : tensor<f32>
  %a = onnx.Add(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Add(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Infinite from 3.4e8 on.
// CHECK-LABEL: @limit_above_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Div(
func.func @limit_above_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0e+30> : tensor<f32>
  %c2 = onnx.Constant dense<1.0e+30> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// 0 below 1e-15.
// CHECK-LABEL: @limit_below_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Mul(
func.func @limit_below_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0e-30> : tensor<f32>
  %c2 = onnx.Constant dense<1.0e+30> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @back_and_forth_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Mul(
func.func @back_and_forth_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<8.0> : tensor<f32>
  %c2 = onnx.Constant dense<0.125> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @far_and_back_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Div(
func.func @far_and_back_stays(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1024.0> : tensor<f32>
  %c2 = onnx.Constant dense<3.0> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @halves_far_and_back_stays
// CHECK: onnx.Mul(
// CHECK: onnx.Div(
func.func @halves_far_and_back_stays(%x: tensor<?x3xf16>) -> tensor<1xf16> {
  %c1 = onnx.Constant dense<16.0> : tensor<f16>
  %c2 = onnx.Constant dense<3.0> : tensor<f16>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf16>, tensor<f16>) -> tensor<?x3xf16>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf16>, tensor<f16>) -> tensor<?x3xf16>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf16>) -> tensor<1xf16>
  return %r : tensor<1xf16>
}

// -----

// CHECK-LABEL: @pixels
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<6.375000e+01>
// CHECK: onnx.Div(%arg0, %[[C]])
func.func @pixels(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<255.0> : tensor<f32>
  %c2 = onnx.Constant dense<0.25> : tensor<f32>
  %a = onnx.Div(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Div(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @farther_and_farther
// CHECK-DAG: %[[C:.*]] = onnx.Constant {{.*}}dense<1.000000e+20>
// CHECK: onnx.Mul(%arg0, %[[C]])
func.func @farther_and_farther(%x: tensor<?x3xf32>) -> tensor<1xf32> {
  %c1 = onnx.Constant dense<1.0e+10> : tensor<f32>
  %c2 = onnx.Constant dense<1.0e+10> : tensor<f32>
  %a = onnx.Mul(%x, %c1) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %y = onnx.Mul(%a, %c2) <{since = 14}>
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x3xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
