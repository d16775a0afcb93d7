//===- Copies.cpp - Nodes that copy --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

Value patterns::matchIdentity(const CleanUpContext &cx) {
  return cx.op.is("Identity") ? cx.op.input(0) : Value();
}

Value patterns::matchOneInput(const CleanUpContext &cx) {
  bool fits = cx.op.is("Sum") || cx.op.is("Mean") || cx.op.is("Min") ||
              cx.op.is("Max") || cx.op.is("Concat");
  return fits && cx.op.numInputs() == 1 ? patterns::inputAlike(cx, 0) : Value();
}

/// Inference does not know that a dimension plus 0 is that dimension.
Value patterns::matchConcatOfNothing(const CleanUpContext &cx) {
  if (!cx.op.is("Concat"))
    return {};
  Value rest;
  int64_t axis = cx.op.getInt("axis", 1);
  for (unsigned i = 0; i < cx.op.numInputs(); ++i) {
    Elements value = cx.constant(i);
    int64_t at = value && axis < 0 ? axis + value.rank() : axis;
    if (value && at >= 0 && at < value.rank() && value.shape()[at] == 0)
      continue;
    if (rest)
      return {};
    rest = cx.op.input(i);
  }
  return rest && cx.typeOf(rest) == cx.typeOf(cx.op->getResult(0)) ? rest
                                                                   : Value();
}

Value patterns::matchDropout(const CleanUpContext &cx) {
  return cx.dropsNothing() ? cx.op.input(0) : Value();
}
