//===- Copies.cpp - Nodes that copy --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// An operand of a Concat has no elements along its axis.
static bool isEmptyPart(const CleanUpContext &cx, Value part) {
  const auto &shape = cx.knownValues().state(part).shape;
  int64_t axis = cx.op.getInt("axis", 1);
  if (!shape)
    return false;
  axis += axis < 0 ? int64_t(shape->size()) : 0;
  return axis >= 0 && axis < int64_t(shape->size()) &&
         cx.knownValues().exprs().valueOf((*shape)[axis]) == 0;
}

/// Their sizes are known to be the same, but for that along the axis.
static bool fitTogether(const CleanUpContext &cx, Value part, Value rest) {
  const auto &a = cx.knownValues().state(part).shape,
             &b = cx.knownValues().state(rest).shape;
  if (!a || !b || a->size() != b->size() || cx.typeOf(part) != cx.typeOf(rest))
    return false;
  int64_t axis = cx.op.getInt("axis", 1);
  axis += axis < 0 ? int64_t(a->size()) : 0;
  for (int64_t i = 0; i < int64_t(a->size()); ++i)
    if (i != axis && (*a)[i] != (*b)[i])
      return false;
  return true;
}

/// The operands of a Concat that add something. What does not can be left out
/// without a loss of checks: `constants`: also a constant of other sizes.
static SmallVector<Value> partsWithElements(const CleanUpContext &cx,
                                            bool constants) {
  SmallVector<Value> parts(cx.op->getOperands());
  auto full =
      llvm::find_if(parts, [&](Value part) { return !isEmptyPart(cx, part); });
  Value rest = full == parts.end() ? parts.front() : *full;
  if (cx.typeOf(rest) == DataType::Undefined)
    return parts;
  llvm::erase_if(parts, [&](Value part) {
    return part != rest && isEmptyPart(cx, part) &&
           ((constants && cx.constantOf(part)) || fitTogether(cx, part, rest));
  });
  return parts;
}

/// Inference does not know that a dimension plus 0 is that dimension.
Value patterns::matchConcatOfNothing(const CleanUpContext &cx) {
  if (!cx.op.is("Concat") || cx.op.numInputs() < 2)
    return {};
  SmallVector<Value> parts = partsWithElements(cx, /*constants=*/true);
  return parts.size() == 1 &&
                 cx.typeOf(parts[0]) == cx.typeOf(cx.op->getResult(0))
             ? parts[0]
             : Value();
}

Value patterns::matchConcatWithEmpty(const CleanUpContext &cx) {
  if (!cx.op.is("Concat") || cx.op.numInputs() < 3 ||
      !cx.nodes.sinceOf("Concat"))
    return {};
  SmallVector<Value> parts = partsWithElements(cx, /*constants=*/false);
  return parts.size() > 1 && parts.size() < cx.op.numInputs()
             ? cx.nodes.create("Concat", parts, cx.op->getAttrs())
             : Value();
}

Value patterns::matchDropout(const CleanUpContext &cx) {
  return cx.dropsNothing() ? cx.op.input(0) : Value();
}
