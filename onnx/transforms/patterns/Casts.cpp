//===- Casts.cpp - Casts that change nothing -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/ExactCasts.h"

using namespace onnxfold;
using namespace mlir;

/// A cast of floats of 8 bits and fewer to their own type may saturate.
static bool saturates(DataType type) {
  return typeClass(type) == TypeClass::SmallFloat;
}

/// A number of `from` is cast to `to` in the same way if it was cast to a wider
/// type in between. Texts say more digits of a wider type; what does not fit
/// into an integer wraps or is undefined, as the type that it comes from has
/// it.
static bool isSameCast(DataType from, DataType between, DataType to) {
  if (saturates(to) || to == DataType::String ||
      typeClass(to) == TypeClass::Complex || !isWider(from, between))
    return false;
  return !isInteger(to) || isInteger(from) == isInteger(between) ||
         isWider(from, to);
}

Value patterns::matchCastChain(const CleanUpContext &cx) {
  Operator first = cx.producer(0, "Cast");
  if (!cx.op.is("Cast") || !first || !cx.nodes.sinceOf("Cast"))
    return {};
  DataType to = cx.typeOf(cx.op->getResult(0));
  if (to == DataType::Undefined ||
      !isSameCast(cx.typeOf(first.input(0)), cx.typeOf(cx.op.input(0)), to))
    return {};
  return cx.nodes.create("Cast", {first.input(0)}, cx.op->getAttrs());
}

Value patterns::matchCastLike(const CleanUpContext &cx) {
  DataType to = cx.typeOf(cx.op->getResult(0));
  if (!cx.op.is("CastLike") || to == DataType::Undefined ||
      !cx.nodes.sinceOf("Cast"))
    return {};
  SmallVector<NamedAttribute, 3> attributes(cx.op->getAttrs());
  attributes.push_back(cx.nodes.attribute("to", int64_t(to)));
  return cx.nodes.create("Cast", {cx.op.input(0)}, attributes);
}
