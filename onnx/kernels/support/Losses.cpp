//===- Losses.cpp - The negative log-likelihood ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Losses.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

Reason onnxfold::checkClasses(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (typeClass(x.type()) != TypeClass::Float)
    return notFolded(ReasonCode::UnsupportedType, "input #0 has element type " +
                                                      name(x.type()) +
                                                      ", expected a float");
  if (x.rank() < 2)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a batch and classes");
  return {};
}

/// A reason if targets or weights do not fit `shape`, [N, C, ...].
static Reason checkOperands(FoldContext &cx, ShapeRef shape) {
  Shape expected(shape);
  expected.erase(expected.begin() + 1);
  DataType target = cx.input(1).type();
  if (target != DataType::Int32 && target != DataType::Int64)
    return notFolded(ReasonCode::UnsupportedType,
                     "input #1 has element type " + name(target));
  if (Reason wrong = checkShape(cx, 1, expected))
    return wrong;
  if (!cx.hasInput(2))
    return {};
  if (DataType weight = cx.input(2).type(); weight != cx.input(0).type())
    return invalid("input #2 has element type " + name(weight) + ", expected " +
                   name(cx.input(0).type()) + " as input #0");
  return checkShape(cx, 2, {shape[1]});
}

/// A reason if a target is neither a class nor ignored. In a program negative
/// ones count from the last class, as in ONNX Runtime.
static Reason checkTargets(FoldContext &cx, const Elements &target,
                           int64_t classes, std::optional<int64_t> ignored) {
  int64_t lowest = mustDecide(cx) ? -classes : 0;
  auto bad = firstWhere<int64_t>(target, [=](int64_t c) {
    return c != ignored && (c < lowest || c >= classes);
  });
  if (!bad)
    return {};
  return undefined("target " + toString(indexOf(*bad, target.shape())) +
                   " is " + llvm::Twine(target.value<int64_t>(*bad)) +
                   ", there are " + llvm::Twine(classes) + " classes");
}

FoldResult onnxfold::negativeLogLikelihood(FoldContext &cx,
                                           const Elements &logs) {
  std::string reduction = cx.string("reduction").value_or("mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return invalid("attribute 'reduction' is '" + reduction +
                   "', expected none, sum or mean");
  if (Reason wrong = checkOperands(cx, logs.shape()))
    return wrong;
  std::optional<int64_t> ignored = cx.integer("ignore_index");
  Elements target = cast(cx.input(1), DataType::Int64);
  if (Reason wrong = checkTargets(cx, target, logs.dim(1), ignored))
    return wrong;
  if (target.size() != 0 && logs.dim(1) == 0)
    return undefined("there are no classes");
  if (target.size() == 0 && reduction == "mean")
    return undefined("there is nothing to take the mean of");

  Elements isIgnored, weights, zero = Elements::splat<double>({}, 0);
  if (ignored) {
    isIgnored = mapAs<bool, int64_t>(
        target, [i = *ignored](int64_t c) { return c == i; });
    target = mapAs<int64_t, int64_t>(
        target, [i = *ignored](int64_t c) { return c == i ? 0 : c; });
  }
  Elements loss = gatherElements(logs, target.unsqueeze({1}), 1).squeeze({1});
  loss = mapAs<double, double>(loss, [](double v) { return -v; });
  if (cx.hasInput(2)) {
    weights = gather(unroundedInput(cx, 2), target, 0);
    loss = scaledBy(loss, weights);
  }
  if (ignored) {
    loss = select(isIgnored, zero, loss);
    weights = select(isIgnored, zero,
                     weights ? weights : Elements::splat<double>({}, 1));
  }
  if (reduction == "none")
    return loss;
  Shape all = firstAxes(loss.rank());
  auto summed = [&](const Elements &v) {
    return reduce(v, all, /*keepDims=*/false, Reduction::Sum);
  };
  if (reduction == "sum")
    return summed(loss);
  if (!weights)
    return reduce(loss, all, /*keepDims=*/false, Reduction::Mean);
  return dividedBy(summed(loss), summed(weights));
}
