//===- BatchNormalization.cpp - Constant kernel of onnx.BatchNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// (X - mean) / sqrt(var + epsilon) * scale + B, with a mean and a variance that
// are given for each channel. Spec: onnx BatchNormalization, versions 1 and 6
// (in training unless is_test), 7 (in training if it has more than one output),
// 9 (no `spatial`; X may be a vector, of one channel), 14 (training_mode; mean
// and var may have another type), 15 (scale and B too).
// Before version 9 `spatial` = 0 wants parameters for each element of an
// instance. What trains is kept. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

static bool hasMoreOutputs(FoldContext &cx) {
  for (unsigned i = 1; i < cx.numResults(); ++i)
    if (cx.needsResult(i))
      return true;
  return false;
}

static bool trains(FoldContext &cx) {
  if (cx.version() < 7)
    return cx.integer("is_test").value_or(0) == 0;
  if (cx.version() < 14)
    return hasMoreOutputs(cx);
  return cx.integer("training_mode").value_or(0) != 0;
}

/// The shape of each parameter, and the one in which it broadcasts to X.
static std::pair<Shape, Shape> parameterShapes(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ShapeRef instance = x.shape().drop_front();
  if (cx.version() < 9 && cx.integer("spatial").value_or(1) == 0) {
    // Versions 1 and 6 call all parameters vectors.
    Shape channels = {x.dim(1)};
    if (cx.version() == 7 || cx.input(1).shape() != ShapeRef(channels))
      return {Shape(instance), Shape(instance)};
  }
  if (x.rank() == 1)
    return {{1}, {1}};
  Shape aligned(x.rank() - 1, 1);
  aligned[0] = x.dim(1);
  return {{x.dim(1)}, aligned};
}

static FoldResult foldBatchNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (trains(cx))
    return notFolded(ReasonCode::NotDeterministic, "is in training mode");
  if (hasMoreOutputs(cx))
    return invalid("there is more than one output outside of training");
  if (Reason wrong = checkFloats(cx, /*mixed=*/true))
    return wrong;
  if (x.rank() < (cx.version() < 9 ? 2 : 1))
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a batch and channels");
  auto [shape, aligned] = parameterShapes(cx);
  for (unsigned i : {1, 2, 3, 4})
    if (Reason wrong = checkShape(cx, i, shape))
      return wrong;
  auto parameter = [&, &aligned = aligned](unsigned i) {
    return cx.input(i).unrounded().reshape(aligned);
  };
  Elements factor =
      dividedBy(parameter(1), rootOf(parameter(4), epsilonOf(cx)));
  Elements centred = lessened(x.unrounded(), parameter(3));
  return roundedResult(cx, shiftedBy(scaledBy(centred, factor), parameter(2)));
}

namespace onnxfold {
void registerBatchNormalization(KernelRegistry &registry) {
  registry.add("BatchNormalization", {1, 6, 7, 9, 14, 15},
               foldBatchNormalization);
}
} // namespace onnxfold
