//===- NonMaxSuppression.h - Boxes that overlap no better ones --*- C++ -*-===//
//
// Non-maximum suppression: in each batch and class the boxes by falling score,
// without those that overlap one that was taken before.
//
//   Elements taken = nonMaxSuppression(boxes, scores, {.most = 10});
//
// Computed at once, because how many there are depends on the values. Thread
// safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H
#define ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct NonMaxSuppressionOptions {
  int64_t most = 0;       // boxes that are taken in one batch and class
  float iouThreshold = 0; // intersection over union beyond which boxes overlap
  std::optional<double> scoreThreshold =
      std::nullopt; // only scores above count
  /// Boxes are given as centre x, centre y, width, height; else as y1, x1, y2,
  /// x2 of any two opposite corners.
  bool centred = false;
};

/// boxes [batch, n, 4], scores [batch, classes, n]: i64 [taken, 3] of batch,
/// class and box. Of equal scores the lower number comes first. The quotient of
/// the areas is computed in double and rounded to float before it is compared;
/// boxes without an area overlap nothing.
/// REQUIRES: f64; boxes are finite, scores no NaN.
Elements nonMaxSuppression(const Elements &boxes, const Elements &scores,
                           const NonMaxSuppressionOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H
