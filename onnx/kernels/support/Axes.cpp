//===- Axes.cpp - Axes, lists and scalars of an operation -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace onnxfold;

ReasonOr<int64_t> onnxfold::axisOf(FoldContext &cx, int64_t byDefault,
                                   int64_t rank) {
  int64_t given = cx.integer("axis").value_or(byDefault);
  if (std::optional<int64_t> axis = normalizeAxis(given, rank))
    return *axis;
  return invalid("attribute 'axis' is " + llvm::Twine(given) +
                 ", the rank is " + llvm::Twine(rank));
}

FoldResult onnxfold::foldAlongAxis(FoldContext &cx,
                                   Elements (*f)(const Elements &, int64_t)) {
  const Elements &x = cx.input(0);
  bool flattens = cx.version() < 13;
  ReasonOr<int64_t> axis =
      axisOf(cx, /*byDefault=*/flattens ? 1 : -1, x.rank());
  if (!axis)
    return axis.reason();
  if (!flattens)
    return f(x, *axis);
  Shape matrix = {numElements(x.shape().take_front(*axis)),
                  numElements(x.shape().drop_front(*axis))};
  Elements y = f(x.reshape(matrix), 1);
  return y ? y.reshape(x.shape()) : y;
}

ReasonOr<Shape> onnxfold::normalizedAxes(ShapeRef axes, int64_t rank) {
  if (std::optional<Shape> list = normalizeAxes(axes, rank))
    return *list;
  return invalid("the axes are " + toString(axes) +
                 ", expected different ones of " + llvm::Twine(rank));
}

ReasonOr<Shape> onnxfold::axesOnce(FoldContext &cx, ShapeRef axes,
                                   int64_t rank) {
  if (!mustDecide(cx))
    return normalizedAxes(axes, rank);
  llvm::SmallSetVector<int64_t, 6> different;
  for (int64_t axis : axes)
    different.insert(normalizeAxis(axis, rank).value_or(axis));
  return normalizedAxes(different.getArrayRef(), rank);
}

Shape onnxfold::firstAxes(int64_t count) {
  Shape axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::optional<Shape> onnxfold::attributeOrInput(FoldContext &cx,
                                                llvm::StringRef name,
                                                unsigned input,
                                                int inputSince) {
  if (cx.version() < inputSince)
    return cx.ints(name);
  return cx.hasInput(input) ? std::optional(Shape(cx.intsOf(input)))
                            : std::nullopt;
}

Reason onnxfold::checkOneElement(FoldContext &cx, unsigned input) {
  const Elements &x = cx.input(input);
  if (x.size() == 1)
    return {};
  return invalid("input #" + llvm::Twine(input) + " has shape " +
                 toString(x.shape()) + ", expected one element");
}
