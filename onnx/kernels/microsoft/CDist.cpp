//===- CDist.cpp - Kernel of com.microsoft.CDist --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The distance of each row of A from each row of B, Euclidean or (without
// `metric`) its square. In double from the differences, rounded once; ONNX
// Runtime computes a^2 - 2 a b + b^2, which cancels.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static constexpr TypeSet cdistTypes = {DataType::Float32, DataType::Float64};

static FoldResult foldMicrosoftCDist(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{cdistTypes}, {cdistTypes, 0}}))
    return wrong;
  const Elements &a = cx.input(0), &b = cx.input(1);
  std::string metric = cx.string("metric").value_or("sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean")
    return invalid("attribute 'metric' is '" + metric + "'");
  if (a.rank() != 2 || b.rank() != 2 || a.dim(1) != b.dim(1))
    return invalid("shapes " + toString(a.shape()) + " and " +
                   toString(b.shape()) + " have no distances");
  Shape shape = {a.dim(0), b.dim(0)};
  if (Reason large = cx.checkResult(a.type(), shape))
    return large;
  if (Reason large = cx.checkWork(double(shape[0]) * double(shape[1]) *
                                  double(a.dim(1) + 1)))
    return large;
  Elements difference = lessened(unroundedInput(cx, 0).unsqueeze({1}),
                                 unroundedInput(cx, 1).unsqueeze({0}));
  Elements squares =
      reduce(difference, {2}, /*keepDims=*/false, Reduction::SumSquare);
  return roundedResult(cx,
                       metric == "euclidean" ? rootOf(squares, 0) : squares);
}

namespace onnxfold {
void registerMicrosoftCDist(KernelRegistry &registry) {
  registry.add("microsoft.CDist", {1}, foldMicrosoftCDist);
}
} // namespace onnxfold
