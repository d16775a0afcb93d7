//===- QGemm.cpp - Kernel of com.microsoft.QGemm --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// alpha * a_scale * b_scale * ((A' - a_zero) * (B' - b_zero) + C), of integers
// in i32, as f32, or quantised if y_scale is there. What belongs to B may be a
// vector of its columns.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/IntegerProducts.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/QLinear.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static Reason checkQGemm(FoldContext &cx) {
  constexpr auto optional = InputRule::Optional;
  constexpr int any = InputRule::any;
  if (Reason wrong = checkInputs(cx, {{bytes},
                                      {float32},
                                      {bytes, 0},
                                      {bytes},
                                      {float32},
                                      {bytes, 3},
                                      {int32, any, optional},
                                      {float32, any, optional},
                                      {bytes, any, optional}}))
    return wrong;
  if (cx.input(0).rank() != 2 || cx.input(3).rank() != 2)
    return invalid("A and B have shapes " + toString(cx.input(0).shape()) +
                   " and " + toString(cx.input(3).shape()) +
                   ", expected matrices");
  return {};
}

static FoldResult foldMicrosoftQGemm(FoldContext &cx) {
  if (Reason wrong = checkQGemm(cx))
    return wrong;
  auto given = [&](unsigned i, llvm::StringRef transposes) {
    const Elements &x = cx.input(i);
    return cx.integer(transposes).value_or(0) != 0 ? x.transpose({1, 0}) : x;
  };
  ReasonOr<Elements> sums = integerProduct(
      cx, given(0, "transA"), given(3, "transB"), cx.input(2), cx.input(5));
  if (!sums)
    return sums.reason();
  if (cx.hasInput(6) && broadcastShapes(sums->shape(), cx.input(6).shape()) !=
                            Shape(sums->shape()))
    return invalid("C has shape " + toString(cx.input(6).shape()) +
                   ", which does not broadcast to " + toString(sums->shape()));
  if (cx.input(1).size() != 1 ||
      !broadcastsToColumns(cx.input(4), sums->shape()))
    return invalid("the scales have shapes " + toString(cx.input(1).shape()) +
                   " and " + toString(cx.input(4).shape()));
  Elements c =
      cx.hasInput(6) ? cast(cx.input(6), DataType::Float64) : Elements();
  Elements scale = scaledBy(cast(cx.input(1).reshape({}), DataType::Float64),
                            cast(cx.input(4), DataType::Float64));
  double alpha = cx.real("alpha").value_or(1);
  Elements y = mapAs<double, double>(scaledBy(shiftedBy(*sums, c), scale),
                                     [=](double v) { return alpha * v; });
  if (cx.hasInput(7))
    return quantizedResult(cx, y, 7, cx.input(0).type());
  return roundedResult(cx, y, DataType::Float32);
}

namespace onnxfold {
void registerMicrosoftQGemm(KernelRegistry &registry) {
  registry.add("microsoft.QGemm", {1}, foldMicrosoftQGemm);
}
} // namespace onnxfold
