//===- Elementwise.cpp - What elementwise kernels share -------------------===//

#include "onnxfold/onnx/kernels/support/Elementwise.h"

using namespace onnxfold;

/// Before version 7, `broadcast` = 1 lets y's shape be a contiguous part of
/// x's, from `axis` on (the end of x by default); otherwise they are equal.
static std::optional<Shape> legacyShape(FoldContext &cx, const Elements &x,
                                        const Elements &y) {
  if (cx.integer("broadcast").value_or(0) == 0)
    return y.shape() == x.shape() ? std::optional(Shape(x.shape()))
                                  : std::nullopt;
  int64_t axis = cx.integer("axis").value_or(x.rank() - y.rank());
  if (axis < 0 || axis + y.rank() > x.rank())
    return std::nullopt;
  Shape shape(x.rank(), 1);
  std::copy(y.shape().begin(), y.shape().end(), shape.begin() + axis);
  return broadcastShapes(x.shape(), shape) == Shape(x.shape())
             ? std::optional(shape)
             : std::nullopt;
}

BroadcastOperands onnxfold::broadcastOperands(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  std::optional<Shape> shape;
  if (cx.version() < 7) {
    if (std::optional<Shape> aligned = legacyShape(cx, x, y))
      return {x, y.reshape(*aligned).expand(x.shape()), std::nullopt};
  } else if ((shape = broadcastShapes(x.shape(), y.shape()))) {
    return {x.expand(*shape), y.expand(*shape), std::nullopt};
  }
  return {{}, {}, invalid("shapes " + toString(x.shape()) + " and " +
                          toString(y.shape()) + " do not broadcast")};
}
