//===- Pads.cpp - Pads of convolutions and pools --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// The elements that a Pad of constants puts around its input.
struct Padding {
  SmallVector<int64_t> counts; ///< before each axis, then behind each
  double value;
};

} // namespace

/// Nothing if the Pad crops, or is not known.
static std::optional<Padding> paddingOf(const CleanUpContext &cx, Operator op) {
  constexpr int asInputs = 11;
  if (op.getString("mode", "constant") != "constant" || op.since() < 2 ||
      op.hasInput(3))
    return std::nullopt;
  auto counts = op.getInts("pads");
  double value = op.getFloat("value", 0);
  if (op.since() >= asInputs) {
    Elements list = cx.constantOf(op.input(1));
    Elements number = cx.constantOf(op.input(2));
    if (!list || (op.hasInput(2) && (!number || number.size() != 1)))
      return std::nullopt;
    counts = list.ints();
    value = number ? number.number().to<double>() : 0;
  }
  if (!counts || counts->size() % 2 != 0 ||
      llvm::any_of(*counts, [](int64_t count) { return count < 0; }))
    return std::nullopt;
  return Padding{SmallVector<int64_t>(*counts), value};
}

/// The pads of the operator with those of the Pad that makes its input; nothing
/// if that pads batch or channels.
static std::optional<SmallVector<int64_t>>
joinedPads(const CleanUpContext &cx, SmallVector<int64_t> counts) {
  StringRef automatic = cx.op.getString("auto_pad", "NOTSET");
  if (counts.size() < 4 || (automatic != "NOTSET" && automatic != "VALID"))
    return std::nullopt;
  size_t rank = counts.size() / 2;
  for (size_t begin : {rank, size_t(0)}) {
    if (counts[begin] != 0 || counts[begin + 1] != 0)
      return std::nullopt;
    counts.erase(counts.begin() + begin, counts.begin() + begin + 2);
  }
  auto own = automatic == "VALID" ? std::nullopt : cx.op.getInts("pads");
  if (own && own->size() != counts.size())
    return std::nullopt;
  for (size_t i = 0; own && i < own->size(); ++i)
    if (llvm::AddOverflow(counts[i], (*own)[i], counts[i]))
      return std::nullopt;
  return counts;
}

/// The operator with other pads and `more` attributes, of the input of the Pad.
static Value withPads(const CleanUpContext &cx, Value x,
                      ArrayRef<int64_t> counts,
                      ArrayRef<NamedAttribute> more = {}) {
  NamedAttrList attributes(cx.op->getAttrs());
  attributes.erase("auto_pad");
  NamedAttribute pads = cx.nodes.attribute("pads", counts);
  attributes.set(pads.getName(), pads.getValue());
  for (NamedAttribute one : more)
    attributes.set(one.getName(), one.getValue());
  SmallVector<Value, 3> inputs(cx.op->getOperands());
  inputs[0] = x;
  return cx.nodes.create(cx.op.name(), inputs, attributes.getAttrs());
}

Value patterns::matchPadConv(const CleanUpContext &cx) {
  Operator pad = cx.op.is("Conv") ? cx.producer(0, "Pad") : Operator();
  auto padding = pad ? paddingOf(cx, pad) : std::nullopt;
  if (!padding || padding->value != 0 || !cx.nodes.sinceOf("Conv"))
    return {};
  auto counts = joinedPads(cx, padding->counts);
  return counts && cx.isOnlyReader(0) ? withPads(cx, pad.input(0), *counts)
                                      : Value();
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// Every window of the pool has an element that is not padding, and none is cut
/// off at the end.
static bool seesMoreThanPads(Operator pool, ArrayRef<int64_t> counts) {
  auto kernel = pool.getInts("kernel_shape"),
       dilations = pool.getInts("dilations");
  if (!kernel || kernel->size() * 2 != counts.size() ||
      pool.getInt("ceil_mode", 0) != 0 ||
      (dilations && llvm::any_of(*dilations, [](int64_t d) { return d != 1; })))
    return false;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] >= (*kernel)[i % kernel->size()])
      return false;
  return true;
}

/// Both bounds of a Clip are at least 0: where the upper one is less than the
/// lower one, all elements become it.
static bool clipsAboveZero(const CleanUpContext &cx, Operator clip) {
  if (clip.since() < 11)
    return clip.getFloat("min", -INFINITY) >= 0 &&
           clip.getFloat("max", INFINITY) >= 0;
  auto isAbove = [&](unsigned i) {
    Elements bound = cx.constantOf(clip.input(i));
    return bound && bound.size() == 1 && bound.number().to<double>() >= 0;
  };
  return isAbove(1) && (!clip.hasInput(2) || isAbove(2));
}

/// No element is below 0: NaN and -0 may be.
static bool isNeverBelowZero(const CleanUpContext &cx, Operator made) {
  if (made && made.is("Clip"))
    return clipsAboveZero(cx, made);
  return made && (made.is("Relu") || made.is("Abs") || made.is("Sigmoid") ||
                  made.is("HardSigmoid"));
}

Value patterns::matchPadPool(const CleanUpContext &cx) {
  Operator pad = cx.producer(0, "Pad");
  auto padding = pad ? paddingOf(cx, pad) : std::nullopt;
  if (!padding || !cx.nodes.sinceOf(cx.op.name()) ||
      typeClass(cx.typeOf(cx.op->getResult(0))) != TypeClass::Float)
    return {};
  auto counts = joinedPads(cx, padding->counts);
  if (!counts || !seesMoreThanPads(cx.op, *counts))
    return {};
  NodeBuilder &nodes = cx.nodes;
  if (cx.op.is("MaxPool")) {
    bool isSmallest =
        padding->value == -INFINITY ||
        (padding->value == 0 && isNeverBelowZero(cx, cx.at(pad).producer(0)));
    return isSmallest && cx.isOnlyReader(0)
               ? withPads(cx, pad.input(0), *counts)
               : Value();
  }
  constexpr int counting = 7; // AveragePool, with count_include_pad
  auto own = cx.op.getInts("pads");
  bool leavesOutOwn =
      cx.op.getInt("count_include_pad", 0) == 0 && own &&
      llvm::any_of(*own, [](int64_t count) { return count != 0; });
  if (padding->value != 0 || leavesOutOwn || cx.op.since() < counting ||
      !cx.isOnlyReader(0))
    return {};
  return withPads(cx, pad.input(0), *counts,
                  nodes.attribute("count_include_pad", int64_t(1)));
}
