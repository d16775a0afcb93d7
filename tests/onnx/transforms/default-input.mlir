// RUN: fold-opt %s --onnx-clean-up --split-input-file | FileCheck %s

// an optional input that says what the operator takes without it = none, where that
// is exact
// onnx.Custom stands for what reads a value: results of functions keep theirs.

// CHECK-LABEL: @steps_of_1_and_all_axes
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @steps_of_1_and_all_axes(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %y = onnx.Slice(%x, %s, %e, %a, %p) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @steps_of_1
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @steps_of_1(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %y = onnx.Slice(%x, %s, %e, %b, %p) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @other_steps_stay
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @other_steps_stay(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %y = onnx.Slice(%x, %s, %e, %a, %q) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// A runtime refuses them.

// CHECK-LABEL: @more_steps_than_starts_stay
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @more_steps_than_starts_stay(%x: tensor<?x?x?xf32>) -> tensor<1xf32> {
  %s = onnx.Constant dense<1> : tensor<1xi64>
  %e = onnx.Constant dense<5> : tensor<1xi64>
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %b = onnx.Constant dense<-1> : tensor<1xi64>
  %q = onnx.Constant dense<2> : tensor<1xi64>
  %p2 = onnx.Constant dense<[1, 1]> : tensor<2xi64>
  %y = onnx.Slice(%x, %s, %e, %a, %p2) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @computed_starts
// CHECK: %[[Y:.*]] = onnx.Slice(%arg0, %arg1, %arg2)
// CHECK: onnx.Custom(%[[Y]])
func.func @computed_starts(%x: tensor<?x?x?xf32>, %s: tensor<1xi64>, %e: tensor<1xi64>) -> tensor<1xf32> {
  %a = onnx.Constant dense<0> : tensor<1xi64>
  %p = onnx.Constant dense<1> : tensor<1xi64>
  %y = onnx.Slice(%x, %s, %e, %a, %p) <{since = 13}>
    : (tensor<?x?x?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_with_0
// CHECK: %[[Y:.*]] = onnx.Pad(%arg0, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_with_0(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %m = onnx.Constant dense<-0.0> : tensor<f32>
  %ax = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %ay = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %y = onnx.Pad(%x, %n, %z, %ax) <{since = 25}>
    : (tensor<?x?xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @pad_with_minus_0_stays
// CHECK: %[[Y:.*]] = onnx.Pad(%arg0, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @pad_with_minus_0_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %n = onnx.Constant dense<[0, 1, 0, 2]> : tensor<4xi64>
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %m = onnx.Constant dense<-0.0> : tensor<f32>
  %ax = onnx.Constant dense<[0, 1]> : tensor<2xi64>
  %ay = onnx.Constant dense<[1, 0]> : tensor<2xi64>
  %y = onnx.Pad(%x, %n, %m, %ay) <{since = 25}>
    : (tensor<?x?xf32>, tensor<4xi64>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @resize_without_region
// CHECK: %[[Y:.*]] = onnx.Resize(%arg0, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}}) {{.*}}, none, none, tensor<4xi64>)
// CHECK: onnx.Custom(%[[Y]])
func.func @resize_without_region(%x: tensor<1x2x?x?xf32>) -> tensor<1xf32> {
  %roi = onnx.Constant dense<> : tensor<0xf32>
  %sz = onnx.Constant dense<[1, 2, 8, 8]> : tensor<4xi64>
  %y = onnx.Resize(%x, %roi, %roi, %sz) <{since = 19}>
    : (tensor<1x2x?x?xf32>, tensor<0xf32>, tensor<0xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @cropped_region_stays
// CHECK: %[[Y:.*]] = onnx.Resize(%arg0, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @cropped_region_stays(%x: tensor<1x2x?x?xf32>) -> tensor<1xf32> {
  %r8 = onnx.Constant dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5]> : tensor<8xf32>
  %sc = onnx.Constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %y = onnx.Resize(%x, %r8, %sc) <{since = 19}> {coordinate_transformation_mode = "tf_crop_and_resize"}
    : (tensor<1x2x?x?xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<1x2x?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @zero_points_of_0
// CHECK: %[[Y:.*]] = onnx.MatMulInteger(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
func.func @zero_points_of_0(%x: tensor<?x?xui8>, %w: tensor<?x?xui8>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<ui8>
  %o = onnx.Constant dense<3> : tensor<ui8>
  %y = onnx.MatMulInteger(%x, %w, %z, %z) <{since = 10}>
    : (tensor<?x?xui8>, tensor<?x?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?x?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @one_zero_point_of_0
// CHECK: %[[Y:.*]] = onnx.MatMulInteger(%arg0, %arg1, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @one_zero_point_of_0(%x: tensor<?x?xui8>, %w: tensor<?x?xui8>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<ui8>
  %o = onnx.Constant dense<3> : tensor<ui8>
  %y = onnx.MatMulInteger(%x, %w, %z, %o) <{since = 10}>
    : (tensor<?x?xui8>, tensor<?x?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?x?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bias_of_integers
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1)
// CHECK: onnx.Custom(%[[Y]])
func.func @bias_of_integers(%x: tensor<?x?xi32>, %w: tensor<?x?xi32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i32>
  %y = onnx.Gemm(%x, %w, %z) <{since = 13}>
    : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<i32>) -> tensor<?x?xi32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xi32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// -0 + 0 is 0: -O2 leaves it out.

// CHECK-LABEL: @bias_of_floats_stays
// CHECK: %[[Y:.*]] = onnx.Gemm(%arg0, %arg1, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @bias_of_floats_stays(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0.0> : tensor<f32>
  %y = onnx.Gemm(%x, %w, %z) <{since = 13}>
    : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @triangle
// CHECK: %[[Y:.*]] = onnx.Trilu(%arg0)
// CHECK: onnx.Custom(%[[Y]])
func.func @triangle(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<i64>
  %y = onnx.Trilu(%x, %z) <{since = 14}>
    : (tensor<?x?xf32>, tensor<i64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @another_triangle_stays
// CHECK: %[[Y:.*]] = onnx.Trilu(%arg0, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @another_triangle_stays(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %z = onnx.Constant dense<1> : tensor<i64>
  %y = onnx.Trilu(%x, %z) <{since = 14}>
    : (tensor<?x?xf32>, tensor<i64>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @lower_bound_of_integers
// CHECK: %[[Y:.*]] = onnx.Clip(%arg0, %[[N:.*]], %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @lower_bound_of_integers(%x: tensor<?x?xui8>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<ui8>
  %o = onnx.Constant dense<3> : tensor<ui8>
  %y = onnx.Clip(%x, %z, %o) <{since = 13}>
    : (tensor<?x?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?x?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @upper_bound_of_integers
// CHECK: %[[Y:.*]] = onnx.Clip(%arg0, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @upper_bound_of_integers(%x: tensor<?x?xui8>) -> tensor<1xf32> {
  %z = onnx.Constant dense<0> : tensor<ui8>
  %o = onnx.Constant dense<3> : tensor<ui8>
  %t = onnx.Constant dense<255> : tensor<ui8>
  %y = onnx.Clip(%x, %o, %t) <{since = 13}>
    : (tensor<?x?xui8>, tensor<ui8>, tensor<ui8>) -> tensor<?x?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// Without one infinities stay in some runtimes.

// CHECK-LABEL: @bounds_of_floats_stay
// CHECK: %[[Y:.*]] = onnx.Clip(%arg0, %{{[^ ]*}}, %{{[^ ]*}})
// CHECK: onnx.Custom(%[[Y]])
func.func @bounds_of_floats_stay(%x: tensor<?x?xf32>) -> tensor<1xf32> {
  %lo = onnx.Constant dense<-3.40282347e+38> : tensor<f32>
  %hi = onnx.Constant dense<1.0> : tensor<f32>
  %y = onnx.Clip(%x, %lo, %hi) <{since = 13}>
    : (tensor<?x?xf32>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<?x?xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

// CHECK-LABEL: @bias_of_quantised_convolutions
// CHECK: %[[Y:.*]] = onnx.QLinearConv(%arg0, %[[S:[^ ]*]], %[[Z:[^ ]*]], %[[W:[^ ]*]], %[[S]], %[[Z]], %[[S]], %[[Z]])
// CHECK: onnx.Custom(%[[Y]])
func.func @bias_of_quantised_convolutions(%x: tensor<1x2x?x?xui8>) -> tensor<1xf32> {
  %s = onnx.Constant dense<0.5> : tensor<f32>
  %z = onnx.Constant dense<0> : tensor<ui8>
  %o = onnx.Constant dense<3> : tensor<ui8>
  %w = onnx.Constant dense<3> : tensor<2x2x1x1xui8>
  %b = onnx.Constant dense<0> : tensor<2xi32>
  %y = onnx.QLinearConv(%x, %s, %z, %w, %s, %z, %s, %z, %b) <{since = 10}>
    : (tensor<1x2x?x?xui8>, tensor<f32>, tensor<ui8>, tensor<2x2x1x1xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>, tensor<2xi32>) -> tensor<1x2x?x?xui8>
  %r = onnx.Custom(%y) <{domain = "t", node = 9, op_type = "Use", since = 1}>
    : (tensor<1x2x?x?xui8>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}
