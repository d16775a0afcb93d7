// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand: boxes are intervals of height 1 on a line, so that areas are lengths.

// CHECK-LABEL: @nonmaxsuppression_suppresses
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 2]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_suppresses() -> tensor<2x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 4.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, 5.000000e+00], [0.000000e+00, 6.000000e+00, 1.000000e+00, 8.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01, 1.000000e-01]]]> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<3> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_threshold_is_strict
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 0]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_threshold_is_strict() -> tensor<2x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 4.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00]]]> : tensor<1x2x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01]]]> : tensor<1x1x2xf32>
  %x2 = onnx.Constant dense<3> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x2x4xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// 7 / 10 is 0.7 in f32, though larger in double.
// CHECK-LABEL: @nonmaxsuppression_threshold_in_f32
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 0]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_threshold_in_f32() -> tensor<2x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+01], [0.000000e+00, 0.000000e+00, 1.000000e+00, 7.000000e+00]]]> : tensor<1x2x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01]]]> : tensor<1x1x2xf32>
  %x2 = onnx.Constant dense<3> : tensor<1xi64>
  %x3 = onnx.Constant dense<7.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x2x4xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_v10_scores
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 0]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_v10_scores() -> tensor<2x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 2.000000e+00, 1.000000e+00, 3.000000e+00], [0.000000e+00, 4.000000e+00, 1.000000e+00, 5.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01, 1.000000e-01]]]> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<7> : tensor<i64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<f32>
  %x4 = onnx.Constant dense<2.000000e-01> : tensor<f32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3, %x4) <{since = 10}> : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_most_per_class
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 0], [0, 1, 2], [0, 1, 1]]> : tensor<4x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_most_per_class() -> tensor<4x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 2.000000e+00, 1.000000e+00, 3.000000e+00], [0.000000e+00, 4.000000e+00, 1.000000e+00, 5.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01, 1.000000e-01], [1.000000e+00, 2.000000e+00, 3.000000e+00]]]> : tensor<1x2x3xf32>
  %x2 = onnx.Constant dense<2> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %x4 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3, %x4) <{since = 11}> : (tensor<1x3x4xf32>, tensor<1x2x3xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x3xi64>
  return %r : tensor<4x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_equal_scores_lower_first
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [0, 0, 0], [0, 0, 2]]> : tensor<3x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_equal_scores_lower_first() -> tensor<3x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 2.000000e+00, 1.000000e+00, 3.000000e+00], [0.000000e+00, 4.000000e+00, 1.000000e+00, 5.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[5.000000e-01, 9.000000e-01, 5.000000e-01]]]> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<9> : tensor<1xi64>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_batches
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 1], [1, 0, 0], [1, 0, 1]]> : tensor<3x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_batches() -> tensor<3x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]], [[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 2.000000e+00, 1.000000e+00, 3.000000e+00]]]> : tensor<2x2x4xf32>
  %x1 = onnx.Constant dense<[[[1.000000e+00, 2.000000e+00]], [[2.000000e+00, 1.000000e+00]]]> : tensor<2x1x2xf32>
  %x2 = onnx.Constant dense<9> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<2x2x4xf32>, tensor<2x1x2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_flipped_corners
// CHECK{LITERAL}: onnx.Constant dense<0> : tensor<1x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_flipped_corners() -> tensor<1x3xi64> {
  %x0 = onnx.Constant dense<[[[1.000000e+00, 4.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, 5.000000e+00]]]> : tensor<1x2x4xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 1.000000e+00]]]> : tensor<1x1x2xf32>
  %x2 = onnx.Constant dense<9> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x2x4xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<1x3xi64>
  return %r : tensor<1x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_centred
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 0], [0, 0, 2]]> : tensor<2x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_centred() -> tensor<2x3xi64> {
  %x0 = onnx.Constant dense<[[[2.000000e+00, 5.000000e-01, 4.000000e+00, 1.000000e+00], [3.000000e+00, 5.000000e-01, 4.000000e+00, 1.000000e+00], [9.000000e+00, 5.000000e-01, 4.000000e+00, 1.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[2.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<9> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> {center_point_box = 1 : i64} : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2x3xi64>
  return %r : tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_no_area_overlaps_nothing
// CHECK{LITERAL}: onnx.Constant dense<[[0, 0, 0], [0, 0, 1], [0, 0, 2]]> : tensor<3x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_no_area_overlaps_nothing() -> tensor<3x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00]]]> : tensor<1x3x4xf32>
  %x1 = onnx.Constant dense<[[[3.000000e+00, 2.000000e+00, 1.000000e+00]]]> : tensor<1x1x3xf32>
  %x2 = onnx.Constant dense<9> : tensor<1xi64>
  %x3 = onnx.Constant dense<0.000000e+00> : tensor<1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x3x4xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_default_is_none
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_default_is_none() -> tensor<0x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %r = onnx.NonMaxSuppression(%x0, %x1) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<0x3xi64>
  return %r : tensor<0x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_negative_most
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_negative_most() -> tensor<0x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<-1> : tensor<1xi64>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>) -> tensor<0x3xi64>
  return %r : tensor<0x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_no_boxes
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_no_boxes() -> tensor<0x3xi64> {
  %x0 = onnx.Constant dense<> : tensor<1x0x4xf32>
  %x1 = onnx.Constant dense<> : tensor<1x2x0xf32>
  %x2 = onnx.Constant dense<5> : tensor<1xi64>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x0x4xf32>, tensor<1x2x0xf32>, tensor<1xi64>) -> tensor<0x3xi64>
  return %r : tensor<0x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_no_boxes_in_very_many_classes
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x3xi64>
// CHECK-NEXT: return
func.func @nonmaxsuppression_no_boxes_in_very_many_classes() -> tensor<0x3xi64> {
  %x0 = onnx.Constant dense<> : tensor<1048576x0x4xf32>
  %x1 = onnx.Constant dense<> : tensor<1048576x1048576x0xf32>
  %x2 = onnx.Constant dense<5> : tensor<1xi64>
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1048576x0x4xf32>, tensor<1048576x1048576x0xf32>, tensor<1xi64>) -> tensor<0x3xi64>
  return %r : tensor<0x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_shapes_stay
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_shapes_stay() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<[[[3.000000e+00, 1.000000e+00]]]> : tensor<1x1x2xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: the boxes have shape [1, 1, 4], the scores [1, 1, 2]}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x2xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_format_stays
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_format_stays() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: attribute 'center_point_box' is 2}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> {center_point_box = 2 : i64} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_iou_stays
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_iou_stays() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  %x3 = onnx.Constant dense<1.500000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: iou_threshold is 1.500000}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_equal_to_threshold_stays
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_equal_to_threshold_stays() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  %x3 = onnx.Constant dense<5.000000e-01> : tensor<1xf32>
  %x4 = onnx.Constant dense<3.000000e+00> : tensor<1xf32>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: a score is equal to score_threshold, 3.000000: it counts in the text alone}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2, %x3, %x4) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_nan_score_stays
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_nan_score_stays() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<0x7FC00000> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: a score is NaN}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_infinite_box_stays
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_infinite_box_stays() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 0x7F800000]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<1> : tensor<1xi64>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: a box is not finite}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}

// -----

// CHECK-LABEL: @nonmaxsuppression_counts_stay
// CHECK: onnx.NonMaxSuppression(
func.func @nonmaxsuppression_counts_stay() -> tensor<?x3xi64> {
  %x0 = onnx.Constant dense<[[[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]]]> : tensor<1x1x4xf32>
  %x1 = onnx.Constant dense<3.000000e+00> : tensor<1x1x1xf32>
  %x2 = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.NonMaxSuppression not folded: input #2 has shape [2], expected one element}}
  %r = onnx.NonMaxSuppression(%x0, %x1, %x2) <{since = 11}> : (tensor<1x1x4xf32>, tensor<1x1x1xf32>, tensor<2xi64>) -> tensor<?x3xi64>
  return %r : tensor<?x3xi64>
}
