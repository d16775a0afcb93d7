//===- BatchNormalization.cpp - Constant kernel of onnx.BatchNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// (X - mean) / sqrt(var + epsilon) * scale + B, with a mean and a variance that
// are given for each channel. Spec: onnx BatchNormalization, versions 1 and 6
// (in training unless is_test), 7 (in training if it has more than one output),
// 9 (no `spatial`; X may be a vector, of one channel), 14 (training_mode; mean
// and var may have another type), 15 (scale and B too).
// Before version 9 `spatial` = 0 wants parameters for each element of an
// instance. What trains is kept by folding, and in a run has the mean and the
// variance of its batch. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;

/// An output that nobody reads counts too; a run does not need it.
static bool hasMoreOutputs(FoldContext &cx) {
  return llvm::any_of(cx.operation()->getResults().drop_front(),
                      [](mlir::Value result) {
                        return !llvm::isa<mlir::NoneType>(result.getType());
                      });
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

/// The moments of the batch for each parameter; of no elements they are NaN.
static Moments momentsOfBatch(FoldContext &cx, ShapeRef aligned) {
  const Elements &x = cx.input(0);
  Shape axes;
  for (int64_t axis = 0, offset = x.rank() - int64_t(aligned.size());
       axis < x.rank(); ++axis)
    if (axis < offset || aligned[axis - offset] != x.dim(axis))
      axes.push_back(axis);
  if (x.size() != 0)
    return momentsOf(x, axes);
  Elements none = Elements::splat<double>(aligned, std::nan(""));
  return {none, x.unrounded(), none};
}

/// All outputs: those beside the first are vectors as the parameters.
static FoldResult trainedResults(FoldContext &cx, const Moments &batch,
                                 const Elements &scale, const Elements &shift,
                                 ShapeRef shape) {
  Elements root = rootOf(batch.variance, epsilonOf(cx));
  double momentum = cx.real("momentum").value_or(0.9f);
  auto whole = [](double factor) {
    return Elements::splat<double>({}, factor);
  };
  auto running = [&](unsigned i, const Elements &now) {
    Elements before = scaledBy(cx.input(i).unrounded(), whole(momentum));
    Elements rest = scaledBy(now.reshape(shape), whole(1 - momentum));
    return roundedResult(cx, shiftedBy(before, rest), cx.input(i).type());
  };
  llvm::SmallVector<Elements, 1> results = {
      roundedResult(
          cx,
          shiftedBy(scaledBy(batch.centred, dividedBy(scale, root)), shift)),
      running(3, batch.mean), running(4, batch.variance)};
  if (cx.version() < 14) { // what a gradient reads
    results.push_back(roundedResult(cx, batch.mean.reshape(shape)));
    results.push_back(
        roundedResult(cx, dividedBy(whole(1), root).reshape(shape)));
  }
  results.resize(cx.numResults());
  return results;
}

static FoldResult foldBatchNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  bool isTraining = trains(cx);
  if (isTraining && !mustDecide(cx))
    return notFolded(ReasonCode::NotDeterministic, "is in training mode");
  if (!isTraining && hasMoreOutputs(cx))
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
  if (isTraining)
    return trainedResults(cx, momentsOfBatch(cx, aligned), parameter(1),
                          parameter(2), shape);
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
