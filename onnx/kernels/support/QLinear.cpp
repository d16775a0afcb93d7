//===- QLinear.cpp - Operators on quantised tensors -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/QLinear.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A scale, or zero point, of the whole tensor; in f64.
static ReasonOr<Elements> scalarInput(FoldContext &cx, unsigned i,
                                      double byDefault) {
  if (!cx.hasInput(i))
    return Elements::splat<double>({}, byDefault);
  if (cx.input(i).size() != 1)
    return invalid("input #" + llvm::Twine(i) + " has shape " +
                   toString(cx.input(i).shape()) + ", expected one element");
  return cast(cx.input(i).reshape({}), DataType::Float64);
}

ReasonOr<Elements> onnxfold::dequantizedInput(FoldContext &cx, unsigned first) {
  ReasonOr<Elements> scale = scalarInput(cx, first + 1, 1);
  ReasonOr<Elements> zero = scalarInput(cx, first + 2, 0);
  for (const Reason &wrong : {scale.reason(), zero.reason()})
    if (wrong)
      return wrong;
  double s = scale->value<double>(), z = zero->value<double>();
  return mapAs<double, double>(cast(cx.input(first), DataType::Float64),
                               [=](double v) { return (v - z) * s; });
}

FoldResult onnxfold::quantizedResult(FoldContext &cx, const Elements &y,
                                     unsigned scale, DataType type) {
  ReasonOr<Elements> by = scalarInput(cx, scale, 1);
  ReasonOr<Elements> zero = scalarInput(cx, scale + 1, 0);
  for (const Reason &wrong : {by.reason(), zero.reason()})
    if (wrong)
      return wrong;
  if (cx.hasInput(scale + 1))
    type = cx.input(scale + 1).type();
  if (Reason large = cx.checkResult(type, y.shape()))
    return large;
  QuantizeOptions options{.to = type};
  if (auto bad = firstNotQuantizable(y, *by, options))
    return undefined("element " + toString(indexOf(*bad, y.shape())) +
                     " divided by its scale is NaN");
  return quantize(y, *by, cast(*zero, type), options);
}

FoldResult
onnxfold::foldQLinear(FoldContext &cx,
                      llvm::function_ref<FoldResult(const Elements &x)> f) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(cx, {{bytes},
                                      {float32},
                                      {bytes, 0, optional},
                                      {float32},
                                      {bytes, 0, optional}}))
    return wrong;
  ReasonOr<Elements> x = dequantizedInput(cx, 0);
  if (!x)
    return x.reason();
  FoldResult y = f(*x);
  return y ? quantizedResult(cx, y.values()[0].tensor, 3, cx.input(0).type())
           : y;
}

FoldResult onnxfold::foldQLinearBinary(FoldContext &cx,
                                       double (*f)(double, double)) {
  constexpr auto optional = InputRule::Optional;
  if (Reason wrong = checkInputs(cx, {{bytes},
                                      {float32},
                                      {bytes, 0, optional},
                                      {bytes, 0},
                                      {float32},
                                      {bytes, 0, optional},
                                      {float32},
                                      {bytes, 0, optional}}))
    return wrong;
  ReasonOr<Elements> a = dequantizedInput(cx, 0), b = dequantizedInput(cx, 3);
  for (const Reason &wrong : {a.reason(), b.reason()})
    if (wrong)
      return wrong;
  std::optional<Shape> shape = broadcastShapes(a->shape(), b->shape());
  if (!shape)
    return invalid("shapes " + toString(a->shape()) + " and " +
                   toString(b->shape()) + " do not broadcast");
  if (Reason large = cx.checkResult(DataType::Float64, *shape))
    return large;
  return quantizedResult(cx, zipAs<double, double, double>(*a, *b, f), 6,
                         cx.input(0).type());
}

FoldResult onnxfold::foldQLinearPool(FoldContext &cx, llvm::StringRef op,
                                     int version) {
  if (op == "AveragePool" && !mustDecide(cx) &&
      cx.integer("ceil_mode").value_or(0) != 0 &&
      cx.integer("count_include_pad").value_or(0) != 0)
    return undefined("with ceil_mode and count_include_pad ONNX Runtime "
                     "divides by another count than in AveragePool");
  bool isLast = cx.integer("channels_last").value_or(0) != 0;
  return foldQLinear(cx, [&](const Elements &x) -> FoldResult {
    FoldResult y =
        runStandard(cx, op, version, {isLast ? channelsSecond(x) : x});
    return y && isLast ? channelsLast(y.values()[0].tensor) : y;
  });
}
