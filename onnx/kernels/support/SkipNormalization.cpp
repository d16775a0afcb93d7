//===- SkipNormalization.cpp - Normalised sums ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/SkipNormalization.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if the operands do not fit input #0.
static Reason checkSkip(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.rank() != 2 && x.rank() != 3)
    return invalid("input #0 has rank " + llvm::Twine(x.rank()) +
                   ", expected 2 or 3");
  if (x.size() == 0)
    return undefined("input #0 has no elements, and so no mean");
  if (Reason wrong = checkBroadcastsToFirst(cx, 1))
    return wrong;
  for (unsigned i = 2; i < cx.numInputs(); ++i)
    if (cx.hasInput(i))
      if (Reason wrong = checkShape(cx, i, {x.dim(x.rank() - 1)}))
        return wrong;
  if (cx.needsResult(1) || cx.needsResult(2))
    return undefined("mean and deviation are for training");
  return {};
}

FoldResult onnxfold::skipNormalization(FoldContext &cx, bool isCentred) {
  if (Reason wrong = checkSkip(cx))
    return wrong;
  Elements sum =
      shiftedBy(shiftedBy(unroundedInput(cx, 0), unroundedInput(cx, 1)),
                unroundedInput(cx, isCentred ? 4 : 3));
  Shape last = {sum.rank() - 1};
  double epsilon = cx.real("epsilon").value_or(1e-12f);
  Elements x = sum, variance;
  if (isCentred) {
    Moments m = momentsOf(sum, last);
    x = m.centred;
    variance = m.variance;
  } else {
    variance =
        reduce(mapAs<double, double>(sum, [](double v) { return v * v; }), last,
               /*keepDims=*/true, Reduction::Mean);
  }
  Elements y =
      scaledBy(dividedBy(x, rootOf(variance, epsilon)), unroundedInput(cx, 2));
  if (isCentred)
    y = shiftedBy(y, unroundedInput(cx, 3));
  llvm::SmallVector<Elements, 1> results(cx.numResults());
  results[0] = roundedResult(cx, y);
  if (cx.needsResult(3))
    results[3] = roundedResult(cx, sum);
  return results;
}
