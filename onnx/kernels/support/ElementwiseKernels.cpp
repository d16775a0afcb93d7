//===- ElementwiseKernels.cpp - What elementwise kernels share ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

Reason onnxfold::checkSameType(FoldContext &cx, unsigned first) {
  // An operator of any number of inputs may leave one out in its midst.
  for (unsigned i = first; i < cx.numInputs(); ++i)
    if (!cx.hasInput(i))
      return invalid("input #" + llvm::Twine(i) + " is missing");
  DataType expected = cx.input(first).type();
  for (unsigned i = first + 1; i < cx.numInputs(); ++i)
    if (DataType type = cx.input(i).type(); type != expected)
      return invalid("input #" + llvm::Twine(i) + " has element type " +
                     name(type) + ", expected " + name(expected) +
                     " as input #" + llvm::Twine(first));
  return {};
}

static Reason doNotBroadcast(FoldContext &cx) {
  std::string shapes;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    shapes += (i ? " and " : "") + toString(cx.input(i).shape());
  return invalid("shapes " + shapes + " do not broadcast");
}

/// The limits, for a result of the inferred type.
static Reason checkResult(FoldContext &cx, ShapeRef shape) {
  DataType type = cx.resultType();
  return cx.checkResult(type == DataType::Undefined ? cx.input(0).type() : type,
                        shape);
}

Reason onnxfold::checkBroadcast(FoldContext &cx) {
  std::optional<Shape> shape = Shape(cx.input(0).shape());
  for (unsigned i = 1; shape && i < cx.numInputs(); ++i)
    shape = broadcastShapes(*shape, cx.input(i).shape());
  if (!shape)
    return doNotBroadcast(cx);
  if (Reason large = checkResult(cx, *shape))
    return large;
  // One with a thousand inputs is a thousand operations.
  double inputs = cx.numInputs();
  return inputs > 2 ? cx.checkWork(inputs * double(numElements(*shape)),
                                   unitsOfReading)
                    : Reason();
}

/// Before version 7, `broadcast` = 1 lets y's shape be a contiguous part of
/// x's, from `axis` on (the end of x by default); otherwise they are equal.
static std::optional<Shape> legacyShape(FoldContext &cx, const Elements &x,
                                        const Elements &y) {
  if (cx.integer("broadcast").value_or(0) == 0)
    return y.shape() == x.shape() ? std::optional(Shape(x.shape()))
                                  : std::nullopt;
  int64_t axis = cx.integer("axis").value_or(x.rank() - y.rank());
  if (axis < 0 || axis > x.rank() - y.rank())
    return std::nullopt;
  Shape shape(x.rank(), 1);
  std::copy(y.shape().begin(), y.shape().end(), shape.begin() + axis);
  return broadcastShapes(x.shape(), shape) == Shape(x.shape())
             ? std::optional(shape)
             : std::nullopt;
}

FoldResult onnxfold::foldElementwise(FoldContext &cx, SymbolOp op) {
  for (unsigned i = 1; cx.version() < 7 && i < cx.numInputs(); ++i)
    if (cx.hasInput(i) && cx.input(i).shape() != cx.input(0).shape() &&
        (cx.input(i).size() != 1 || cx.integer("broadcast").value_or(0) == 0))
      return notFolded(ReasonCode::InputNotConstant,
                       "inputs are known in part only");
  return foldSymbols(cx, op);
}

ReasonOr<BroadcastOperands> onnxfold::broadcastOperands(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  if (cx.version() < 7) {
    if (std::optional<Shape> aligned = legacyShape(cx, x, y))
      return BroadcastOperands{x, y.reshape(*aligned).expand(x.shape())};
    return doNotBroadcast(cx);
  }
  if (Reason mismatch = checkBroadcast(cx))
    return mismatch;
  auto [a, b] = broadcast(x, y);
  return BroadcastOperands{a, b};
}
