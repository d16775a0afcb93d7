//===- NonMaxSuppression.h - Boxes that overlap no better ones --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Non-maximum suppression: in each batch and class the boxes are selected by
// descending score, except those that overlap a box selected before.
//
//   Elements selected = nonMaxSuppression(boxes, scores, {.most = 10});
//
// The result is computed at once, because the number of boxes depends on the
// values. Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H
#define ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

struct NonMaxSuppressionOptions {
  int64_t most = 0;       // the most boxes selected in one batch and class
  float iouThreshold = 0; // boxes overlap beyond this intersection over union
  std::optional<double> scoreThreshold =
      std::nullopt; // only boxes of a higher score are selected
  /// True: a box is given as centre x, centre y, width, height. False: it is
  /// given as y1, x1, y2, x2 of any two opposite corners.
  bool centred = false;
};

/// The boxes selected from boxes [batch, n, 4] and scores [batch, classes, n],
/// as i64 [selected, 3]: the numbers of batch, class and box. Of equal scores
/// the lower box number comes first. The quotient of the areas is computed in
/// double and rounded to float before it is compared; boxes without an area
/// overlap nothing.
/// REQUIRES: f64; boxes are finite; no score is NaN.
Elements nonMaxSuppression(const Elements &boxes, const Elements &scores,
                           const NonMaxSuppressionOptions &options);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_NONMAXSUPPRESSION_H
