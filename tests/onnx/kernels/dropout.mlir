// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: the specification: the input, and a mask of true.

// CHECK-LABEL: @dropout_7
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dropout_7() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Dropout(%x0) <{since = 7}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dropout_6_is_test
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dropout_6_is_test() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %r = onnx.Dropout(%x0) <{since = 6}> {is_test = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dropout_13_not_training
// CHECK{LITERAL}: onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
// CHECK-NEXT: return
func.func @dropout_13_not_training() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<false> : tensor<i1>
  %r = onnx.Dropout(%x0, %x1, %x2) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dropout_7_mask_stays
// CHECK: onnx.Dropout(
func.func @dropout_7_mask_stays() -> tensor<2xf32> {
  %x = onnx.Constant dense<[3.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Dropout not folded: its mask is read, which is true in the reference evaluator and false in ONNX Runtime}}
  %r, %m = onnx.Dropout(%x) <{since = 7}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %m : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dropout_10_mask_stays
// CHECK: onnx.Dropout(
func.func @dropout_10_mask_stays() -> tensor<2xi1> {
  %x = onnx.Constant dense<[3.000000e+00, 2.000000e+00]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Dropout not folded: its mask is read, which is true in the reference evaluator and false in ONNX Runtime}}
  %r, %m = onnx.Dropout(%x) <{since = 10}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  return %m : tensor<2xi1>
}

// -----

// CHECK-LABEL: @dropout_22_mask
// CHECK: onnx.Constant dense<true> : tensor<2xi1>
func.func @dropout_22_mask() -> tensor<2xi1> {
  %x = onnx.Constant dense<[3.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %r, %m = onnx.Dropout(%x) <{since = 22}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  return %m : tensor<2xi1>
}

// -----

// CHECK-LABEL: @dropout_6_stays
// CHECK: onnx.Dropout(
func.func @dropout_6_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  // expected-remark @+1 {{onnx.Dropout not folded: is in training mode}}
  %r = onnx.Dropout(%x0) <{since = 6}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @dropout_13_training_stays
// CHECK: onnx.Dropout(
func.func @dropout_13_training_stays() -> tensor<2xf32> {
  %x0 = onnx.Constant dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>
  %x1 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x2 = onnx.Constant dense<true> : tensor<i1>
  // expected-remark @+1 {{onnx.Dropout not folded: is in training mode}}
  %r = onnx.Dropout(%x0, %x1, %x2) <{since = 13}> : (tensor<2xf32>, tensor<f32>, tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
